// Grid lines of charts at round numbers. Pure.

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten; at least 1. */
export function niceTop(highest: number): number {
  if (highest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= highest) ?? 10;
  return factor * power;
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const TIMES = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 4, 10, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR),
];

/** Rounds milliseconds up to a common duration such as 10 s or 1 h. */
export const niceTime = (highest: number): number =>
  TIMES.find((one) => one >= highest) ?? niceTop(highest / DAY) * DAY;

/** Zero, half and top; no half for a top of 1. */
export const ticksOf = (top: number): number[] => (top <= 1 ? [0, top] : [0, top / 2, top]);
