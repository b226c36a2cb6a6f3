// Computes the times of a cron expression in a time zone. croner finds matching wall-clock times; these rules map them
// to instants on days with a clock change:
// - a fixed hour that is skipped runs once, at the first instant after the gap;
// - a fixed time that occurs twice runs at its first occurrence;
// - expressions that follow the clock, such as `*` and `*/5`, run whenever the clock shows a matching time.

import type { CronExpression } from './cron-expression.ts';
import type { NextTime } from './timing.ts';
import { WallClock, type WallTime } from './zone.ts';

/** Larger than any zone's clock change. */
const LARGEST_STEP_MS = 3 * 3_600_000;

type NextWall = (after: number) => number | null;

export async function cronTimes(expression: CronExpression, zone: string): Promise<NextTime> {
  const clock = WallClock.of(zone);
  const nextWall = await wallTimes(expression);
  return (after) => {
    const repeated = expression.namesTime ? null : nextRepeated(clock, nextWall, after);
    return repeated ?? nextOnClock(clock, nextWall, after, expression);
  };
}

/** Cached, because parsing takes longer than evaluation, and schedules often share expressions. */
const known = new Map<string, NextWall>();
const MOST_KNOWN = 100;

/** Computed as if the zone were UTC, which has no clock changes. */
async function wallTimes({ pattern, needsBothDays }: CronExpression): Promise<NextWall> {
  const found = known.get(pattern);
  if (found) return found;
  const { Cron } = await import('croner');
  const cron = new Cron(pattern, { utcOffset: 0, paused: true, domAndDow: needsBothDays });
  const nextWall: NextWall = (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(pattern, nextWall);
  return nextWall;
}

function nextOnClock(clock: WallClock, nextWall: NextWall, after: number, expression: CronExpression): number | null {
  for (let wall = nextWall(clock.wallAt(after)); wall !== null; wall = nextWall(wall)) {
    const at = runsOf(clock.read(wall), expression).find((instant) => instant > after);
    if (at !== undefined) return at;
  }
  return null;
}

function runsOf({ instants, gapEnd }: WallTime, { namesHour, namesTime }: CronExpression): readonly number[] {
  if (gapEnd !== null) return namesHour ? [gapEnd] : [];
  return namesTime ? instants.slice(0, 1) : instants;
}

/** Before the clock is set back, the next wall-clock time may be one that it has already shown. */
function nextRepeated(clock: WallClock, nextWall: NextWall, after: number): number | null {
  const [offset, later] = [clock.offsetAt(after), clock.offsetAt(after + LARGEST_STEP_MS)];
  if (later >= offset) return null;
  const change = clock.changeWithin(after, after + LARGEST_STEP_MS);
  const next = nextWall(after + offset);
  if (next === null || next - offset < change) return null;
  const repeated = nextWall(change + later - 1);
  const isShownTwice = repeated !== null && repeated < change + offset;
  return isShownTwice ? repeated - later : null;
}
