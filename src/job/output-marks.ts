// When output came, and on which stream: a mark for each part that arrived at one time.
// Very many marks are thinned out: the times become less exact, by twice their number at a time, the streams never.

export const MERGED = 0;
export const STDOUT = 1;
export const STDERR = 2;
export type Stream = typeof MERGED | typeof STDOUT | typeof STDERR;

/** From byte `at` on, up to the next mark, it came at this time. */
export interface Mark {
  readonly at: number;
  readonly ms: number;
  readonly stream: Stream;
}

const MANY = 16_384;
const FEW = 12_288;

export class Marks {
  /** Grows by one each time that marks were taken out, so that what was written down before is outdated. */
  revision = 0;
  private list: Mark[] = [];
  private apartMs = 1;
  private tooMany = MANY;

  get all(): readonly Mark[] {
    return this.list;
  }

  add({ at, ms, stream }: Mark): void {
    const last = this.list.at(-1);
    if (last && last.stream === stream && ms - last.ms < this.apartMs) return;
    this.list.push({ at, ms: Math.max(ms, last?.ms ?? 0), stream }); // a clock may be set back
    if (this.list.length > this.tooMany) this.thinOut();
  }

  /** These bytes are left out. The mark that the first byte behind them has stays. */
  leaveOut(from: number, to: number): void {
    const kept = this.list.filter(({ at }, i) => at < from || (this.list[i + 1]?.at ?? to + 1) > to);
    if (kept.length === this.list.length) return;
    this.list = kept;
    this.revision++;
  }

  private thinOut(): void {
    const spanMs = (this.list.at(-1)?.ms ?? 0) - (this.list[0]?.ms ?? 0);
    while (this.list.length > FEW && this.apartMs < spanMs) {
      this.apartMs *= 2;
      this.list = apart(this.list, this.apartMs);
    }
    this.tooMany = Math.max(MANY, this.list.length * 2); // streams that take turns cannot be thinned out
    this.revision++;
  }
}

function apart(marks: readonly Mark[], ms: number): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) {
    const last = kept.at(-1);
    if (!last || last.stream !== mark.stream || mark.ms - last.ms >= ms) kept.push(mark);
  }
  return kept;
}

const SIGNS = ['.', '-', '!'] as const;

/** Each as the difference to the one before, in base 36: `at`, a sign for the stream, `ms`. */
export function textOfMarks(marks: readonly Mark[], first = 0): string {
  return marks
    .slice(first)
    .map(({ at, ms, stream }, i) => {
      const before = marks[first + i - 1] ?? { at: 0, ms: 0 };
      return `${(at - before.at).toString(36)}${SIGNS[stream]}${(ms - before.ms).toString(36)}`;
    })
    .join(' ');
}

export function marksOf(text: string): Mark[] {
  let [at, ms] = [0, 0];
  return [...text.matchAll(/([0-9a-z]+)([.\-!])([0-9a-z]+)/g)].map(
    ([, more = '0', sign = '.', later = '0']) => {
      at += Number.parseInt(more, 36);
      ms += Number.parseInt(later, 36);
      return { at, ms, stream: SIGNS.indexOf(sign as '.') as Stream };
    },
  );
}
