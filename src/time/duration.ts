// Durations such as 90s, 5m, 1h30m, 2d, 500ms, or a number of seconds.

const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
};

const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/g;

/** Returns milliseconds, or null if the text is invalid. */
export function parseDurationMs(text: string): number | null {
  const compact = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(compact)) return parseDurationMs(`${compact}s`);
  if (!/^(\d+(\.\d+)?\s*[a-z]+\s*)+$/.test(compact)) return null;
  let total = 0;
  for (const [, amount, unit] of compact.matchAll(PART)) {
    const ms = UNIT_MS[unit ?? ''] ?? UNIT_MS[(unit ?? '').replace(/s$/, '')];
    if (ms === undefined) return null;
    total += Number(amount) * ms;
  }
  return Number.isFinite(total) ? total : null;
}
