// When a schedule runs: by a cron expression in a time zone, at a fixed interval, or once.

import { parseDurationMs } from '../time/duration.ts';
import { parseWhen } from '../time/when.ts';
import { parseCron } from './cron-expression.ts';
import { invalid, quote } from './invalid.ts';
import { WallClock } from './zone.ts';

export type Timing =
  | { readonly kind: 'cron'; readonly expression: string; readonly zone: string }
  /** Runs at anchor + n intervals, so it never drifts. */
  | { readonly kind: 'every'; readonly everyMs: number; readonly anchor: number; readonly zone: string }
  | { readonly kind: 'at'; readonly at: number; readonly zone: string };

/** Returns the first time after the given instant, or null if there is none. */
export type NextTime = (after: number) => number | null;

const SHORTEST_MS = 1000;
const LONGEST_MS = 10 * 365 * 86_400_000;

/** Throws if the expression is invalid or has no future time. */
export async function readCron(written: string, zone: string, now: number): Promise<Timing> {
  const timing: Timing = { kind: 'cron', expression: parseCron(written).text, zone };
  if ((await timesOf(timing))(now) !== null) return timing;
  throw invalid(`the cron expression ${quote(timing.expression)} never matches a date`, 'check the day and the month');
}

export function readEvery(written: string, zone: string, now: number): Timing {
  const everyMs = parseDurationMs(written);
  if (everyMs === null) throw invalid(`invalid duration ${quote(written)} for --every`, 'try 90s, 5m, 1h30m or 2d');
  if (everyMs < SHORTEST_MS || everyMs > LONGEST_MS) {
    throw invalid(`--every must be from 1 second to 10 years, not ${quote(written)}`, 'try 90s, 5m, 1h30m or 2d');
  }
  return { kind: 'every', everyMs: Math.round(everyMs), anchor: now, zone };
}

/** Reads a time without a zone in `zone` if possible; words such as 'tomorrow' always refer to this machine's zone. */
export function readAt(written: string, zone: string, isLocal: boolean, now: number): Timing {
  const at = isLocal ? parseWhen(written, now, 'local') : inZone(written, zone, now);
  if (at === null) {
    throw invalid(
      `invalid time ${quote(written)} for --at`,
      isLocal
        ? "try '2026-12-24 18:00', +5m or 'tomorrow 9:00'"
        : "in a time zone other than this host's, use a full date: '2026-12-24 18:00'",
    );
  }
  if (at > now) return { kind: 'at', at, zone };
  throw invalid(`the time ${quote(written)} for --at is in the past`, 'use a time in the future');
}

function inZone(written: string, zone: string, now: number): number | null {
  const hasOwnZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(written.trim()) && /\d:\d/.test(written);
  const isRelative = /^\s*(\+|in\s|now)/i.test(written);
  const at = parseWhen(written, now, 'utc');
  if (at === null || hasOwnZone || isRelative) return at;
  const { instants, gapEnd } = WallClock.of(zone).read(at);
  return instants[0] ?? gapEnd;
}

export async function timesOf(timing: Timing): Promise<NextTime> {
  if (timing.kind === 'at') return (after) => (timing.at > after ? timing.at : null);
  if (timing.kind === 'every') return everyTimes(timing.everyMs, timing.anchor);
  const { cronTimes } = await import('./cron-times.ts');
  return cronTimes(parseCron(timing.expression), timing.zone);
}

const everyTimes =
  (everyMs: number, anchor: number): NextTime =>
  (after) =>
    anchor + Math.max(1, Math.floor((after - anchor) / everyMs) + 1) * everyMs;

/** Returns the next `count` times. */
export function upcoming(next: NextTime, after: number, count: number): number[] {
  const times: number[] = [];
  for (let at = next(after); at !== null && times.length < count; at = next(at)) times.push(at);
  return times;
}
