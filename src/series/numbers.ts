// Numbers by name while they are counted. A plain object would take the bounds of a histogram for places in an array, most of
// them empty, and every turn of a worker would write these out: 12 microseconds instead of one.

export class Numbers {
  private readonly byName = new Map<string, number>();

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  add(name: string, n: number): void {
    this.byName.set(name, (this.byName.get(name) ?? 0) + n);
  }

  /** The members of a JSON object. The names are words of ours, with nothing in them to escape. */
  get members(): string {
    let members = '';
    for (const [name, n] of this.byName) members += members === '' ? `"${name}":${n}` : `,"${name}":${n}`;
    return members;
  }

  /** As a JSON object. */
  get text(): string {
    return `{${this.members}}`;
  }
}
