// Rates such as 10/s, 100/m, 5/h, 1/d.

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
};

/** Returns the rate per second, or null if the text is invalid. */
export function parseRate(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*\/\s*([a-z]+)$/.exec(text.trim());
  const [count, seconds] = [Number(match?.[1]), SECONDS[match?.[2] ?? '']];
  return match && seconds !== undefined && count > 0 ? count / seconds : null;
}

const UNITS = ['s', 'm', 'h', 'd'];

/** Uses the smallest unit that yields a whole number, or else at least one. */
export function rateText(perSecond: number): string {
  const inUnit = (unit: string): number => Number((perSecond * (SECONDS[unit] ?? 1)).toPrecision(6));
  const unit =
    UNITS.find((name) => inUnit(name) >= 1 && Number.isInteger(inUnit(name))) ??
    UNITS.find((name) => inUnit(name) >= 1) ??
    'd';
  return `${inUnit(unit)}/${unit}`;
}
