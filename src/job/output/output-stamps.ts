// Stamps that record when output arrived and on which stream, one for each chunk. When there are too many stamps, half
// of the times are dropped; changes of stream are always kept.

export const MERGED = 0;
export const STDOUT = 1;
export const STDERR = 2;
export type Stream = typeof MERGED | typeof STDOUT | typeof STDERR;

/** Time and stream of the bytes from `at` up to the next stamp. */
export interface Stamp {
  readonly at: number;
  readonly ms: number;
  readonly stream: Stream;
}

const MANY = 16_384;
const FEW = 12_288;

export class Stamps {
  /** Incremented when stamps are removed, which invalidates stamps written before. */
  revision = 0;
  private list: Stamp[] = [];
  private apartMs = 1;
  private tooMany = MANY;

  get all(): readonly Stamp[] {
    return this.list;
  }

  add({ at, ms, stream }: Stamp): void {
    const last = this.list.at(-1);
    if (last && last.stream === stream && ms - last.ms < this.apartMs) return;
    this.list.push({ at, ms: Math.max(ms, last?.ms ?? 0), stream }); // the clock may be set back
    if (this.list.length > this.tooMany) this.thinOut();
  }

  private thinOut(): void {
    const spanMs = (this.list.at(-1)?.ms ?? 0) - (this.list[0]?.ms ?? 0);
    while (this.list.length > FEW && this.apartMs < spanMs) {
      this.apartMs *= 2;
      this.list = apart(this.list, this.apartMs);
    }
    this.tooMany = Math.max(MANY, this.list.length * 2); // alternating streams cannot be thinned out
    this.revision++;
  }
}

function apart(stamps: readonly Stamp[], ms: number): Stamp[] {
  const kept: Stamp[] = [];
  for (const stamp of stamps) {
    const last = kept.at(-1);
    if (!last || last.stream !== stamp.stream || stamp.ms - last.ms >= ms) kept.push(stamp);
  }
  return kept;
}

const SIGNS = ['.', '-', '!'] as const;

/** Delta-encodes each stamp in base 36: `at`, a sign for the stream, `ms`. */
export function textOfStamps(stamps: readonly Stamp[], first = 0): string {
  return stamps
    .slice(first)
    .map(({ at, ms, stream }, i) => {
      const before = stamps[first + i - 1] ?? { at: 0, ms: 0 };
      return `${(at - before.at).toString(36)}${SIGNS[stream]}${(ms - before.ms).toString(36)}`;
    })
    .join(' ');
}

export function stampsOf(text: string): Stamp[] {
  let [at, ms] = [0, 0];
  return [...text.matchAll(/([0-9a-z]+)([.\-!])([0-9a-z]+)/g)].map(([, more = '0', sign = '.', later = '0']) => {
    at += Number.parseInt(more, 36);
    ms += Number.parseInt(later, 36);
    return { at, ms, stream: SIGNS.indexOf(sign as '.') as Stream };
  });
}
