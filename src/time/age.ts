// Ages such as 2h, 7d, today, yesterday, 2026-11-18, or 2026-11-18T09:00.

import { parseDurationMs } from './duration.ts';

/** Examples for error messages. */
export const AGE_EXAMPLES = '90s, 5m, 2d, today, yesterday or 2026-11-18';

/** Returns milliseconds before `now`, or null if the text is invalid or in the future. Days begin at local midnight. */
export function parseAgeMs(text: string, now: number): number | null {
  const at = timeOf(text.trim().toLowerCase(), now);
  if (at === null) return parseDurationMs(text);
  return at <= now ? now - at : null;
}

function timeOf(word: string, now: number): number | null {
  if (word === 'today') return midnight(now, 0);
  if (word === 'yesterday') return midnight(now, 1);
  if (!/^\d{4}-\d\d-\d\d/.test(word)) return null;
  const isDay = word.length === 'YYYY-MM-DD'.length;
  const at = Date.parse(isDay ? `${word}T00:00` : word.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(at) ? null : at;
}

function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}
