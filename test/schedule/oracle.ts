// Computes the times of simple schedules with Temporal, as an independent reference for src/schedule.

/** A simple schedule: fixed hours and minutes of each day, or every n minutes of these hours. */
export interface Form {
  readonly cron: string;
  /** Null for every hour. */
  readonly hours: readonly number[] | null;
  readonly minutes: readonly number[];
  /** True if the minutes were written with a star. */
  readonly goesOn: boolean;
}

type Zoned = Temporal.ZonedDateTime;

/** Returns all times from `from` to `to` in order. */
export function timesOf(form: Form, zone: string, from: Zoned, to: Zoned): number[] {
  const isNamed = form.hours !== null && !form.goesOn;
  const times = isNamed ? namedTimes(form, zone, from, to) : clockTimes(form, zone, from, to);
  const [first, last] = [from.epochMilliseconds, to.epochMilliseconds];
  return [...new Set(times)].filter((at) => at > first && at <= last).sort((a, b) => a - b);
}

function namedTimes({ hours, minutes }: Form, zone: string, from: Zoned, to: Zoned): number[] {
  const times: number[] = [];
  for (const day of daysFrom(from, to)) {
    for (const hour of hours ?? []) {
      for (const minute of minutes) times.push(instantOf(day.toPlainDateTime({ hour, minute }), zone));
    }
  }
  return times;
}

function daysFrom(from: Zoned, to: Zoned): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  const last = to.toPlainDate().add({ days: 1 });
  for (let day = from.toPlainDate(); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    days.push(day);
  }
  return days;
}

/** Returns the first of two instants, or the end of the gap if there is none. */
function instantOf(wall: Temporal.PlainDateTime, zone: string): number {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds;
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.NaN;
}

/** Checks every real minute; a fixed hour that is skipped runs after the gap. */
function clockTimes(form: Form, zone: string, from: Zoned, to: Zoned): number[] {
  const times: number[] = [];
  for (let at = from; Temporal.ZonedDateTime.compare(at, to) <= 0; at = at.add({ minutes: 1 })) {
    const isHour = form.hours?.includes(at.hour) ?? true;
    if (isHour && form.minutes.includes(at.minute)) times.push(at.epochMilliseconds);
  }
  return form.hours === null ? times : [...times, ...gapEnds(form, zone, from, to)];
}

function gapEnds({ hours, minutes }: Form, zone: string, from: Zoned, to: Zoned): number[] {
  const all = namedTimes({ cron: '', hours, minutes, goesOn: false }, zone, from, to);
  return all.filter((at) => {
    const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    return !(hours?.includes(hour) && minutes.includes(minute));
  });
}

/** Returns the clock changes within a span. */
export function changesOf(zone: string, from: Zoned, to: Zoned): Zoned[] {
  const changes: Zoned[] = [];
  for (
    let change = from.withTimeZone(zone).getTimeZoneTransition('next');
    change !== null && Temporal.ZonedDateTime.compare(change, to) < 0;
    change = change.getTimeZoneTransition('next')
  ) {
    changes.push(change);
  }
  return changes;
}
