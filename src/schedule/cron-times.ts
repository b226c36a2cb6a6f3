// The times of a cron expression in a time zone. croner finds the matching times on the clock; which instants they are
// is decided here, because days on which the clock is changed need a rule:
// - an hour that is named and skipped that day runs at the first instant after the gap, once;
// - a time that is named and comes twice that day runs at the first of them;
// - what goes on with the clock, as `*` and `*/5` do, runs whenever the clock shows it.

import type { CronExpression } from './cron-expression.ts';
import type { NextTime } from './timing.ts';
import { WallClock, type WallTime } from './zone.ts';

/** No zone sets its clock back by more than this. */
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

/** To read an expression takes longer than to use it, and many schedules have the same one. */
const known = new Map<string, NextWall>();
const MOST_KNOWN = 100;

/** Computed as if the zone were UTC, where no day is special. */
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

function nextOnClock(
  clock: WallClock,
  nextWall: NextWall,
  after: number,
  expression: CronExpression,
): number | null {
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

/** When the clock is about to be set back, the next time on it may be one that it has shown already. */
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
