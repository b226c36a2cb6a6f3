// Descriptions of schedules, and times in a schedule's zone.

import { parseCron } from './cron-expression.ts';
import type { Timing } from './timing.ts';
import { WallClock } from './zone.ts';

/** Returns 'every 5 minutes', 'every day at 02:30', 'at 02:30, on the last Friday of the month', or 'once'. */
export async function timingInWords(timing: Timing): Promise<string> {
  if (timing.kind === 'every') return `every ${span(timing.everyMs)}`;
  if (timing.kind === 'at') return 'once';
  return cronInWords(timing.expression);
}

async function cronInWords(expression: string): Promise<string> {
  const { pattern } = parseCron(expression);
  const { default: cronstrue } = await import('cronstrue');
  try {
    const words = cronstrue.toString(pattern.replace(/#L/g, 'L'), { use24HourTimeFormat: true });
    return withDays(`${words[0]?.toLowerCase() ?? ''}${words.slice(1)}`, pattern);
  } catch {
    return expression; // expressions without a description are shown unchanged
  }
}

/** Adds the days to a bare time. */
function withDays(words: string, pattern: string): string {
  const isEveryDay = pattern.split(/\s+/).slice(-3).join(' ') === '* * *';
  return isEveryDay && /^at \d\d:\d\d/.test(words) ? `every day ${words}` : words;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Returns '5 minutes', '1 hour 30 minutes', or 'minute'. */
function span(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, size] of UNITS) {
    const n = unit === 'second' ? rest / size : Math.floor(rest / size);
    if (n > 0) parts.push(`${n} ${unit}${n === 1 ? '' : 's'}`);
    rest -= Math.floor(n) * size;
  }
  const words = parts.join(' ');
  return parts.length === 1 ? words.replace(/^1 /, '') : words;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns 'Tue 2026-11-17 02:30:00 +01:00'. The offset distinguishes the two occurrences of a repeated hour. */
export function timeInZone(at: number, zone: string): string {
  const offset = WallClock.of(zone).offsetAt(at);
  const wall = new Date(at + offset);
  const [day, clock] = wall.toISOString().slice(0, 19).split('T');
  return `${WEEKDAYS[wall.getUTCDay()]} ${day} ${clock} ${offsetText(offset)}`;
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const pad = (n: number): string => String(n).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
