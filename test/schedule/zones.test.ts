// The times of schedules in seven zones over three years, compared with an independent calculation: whole years for
// fixed times, and the days around every clock change for expressions that follow the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timesOf as scheduleTimes } from '../../src/schedule/timing.ts';
import { changesOf, type Form, timesOf } from './oracle.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
  'Africa/Casablanca',
];

const range = (count: number, step = 1): number[] =>
  Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
const zoned = (zone: string, year: number): Temporal.ZonedDateTime =>
  Temporal.ZonedDateTime.from({ timeZone: zone, year, month: 1, day: 1 });

async function computed(cron: string, zone: string, from: number, to: number): Promise<number[]> {
  const next = await scheduleTimes({ kind: 'cron', expression: cron, zone });
  const times: number[] = [];
  for (let at = next(from); at !== null && at <= to; at = next(at)) times.push(at);
  return times;
}

const stamps = (times: readonly number[]): string[] => times.map((at) => new Date(at).toISOString());

async function compare(form: Form, zone: string, from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime) {
  const found = await computed(form.cron, zone, from.epochMilliseconds, to.epochMilliseconds);
  assert.deepEqual(stamps(found), stamps(timesOf(form, zone, from, to)), `${form.cron} in ${zone}`);
}

const named = (minutes: number[], hours: number[]): Form => ({
  cron: `${minutes.join(',')} ${hours.join(',')} * * *`,
  hours,
  minutes,
  goesOn: false,
});
const everyMinutes = (n: number, hours: number[] | null): Form => ({
  cron: `*/${n} ${hours?.join(',') ?? '*'} * * *`,
  hours,
  minutes: range(60, n),
  goesOn: true,
});

/** Returns the clock changes in three years, or any moment if there are none. */
function momentsOf(zone: string): Temporal.ZonedDateTime[] {
  const changes = changesOf(zone, zoned(zone, 2026), zoned(zone, 2029));
  assert.equal(changes.length > 0, zone !== 'Asia/Kolkata', `changes of the clock in ${zone}`);
  return changes.length > 0 ? changes : [zoned(zone, 2027)];
}

for (const zone of ZONES) {
  test(`fixed times run once on each day of three years in ${zone}`, async () => {
    const forms = [named([30], [2]), named([0, 30], [2]), named([0], [0]), named([15, 45], [1, 2, 3, 23])];
    for (const form of forms) await compare(form, zone, zoned(zone, 2026), zoned(zone, 2029));
  });

  test(`expressions that follow the clock run at every interval around each clock change in ${zone}`, async () => {
    const forms = [everyMinutes(5, null), everyMinutes(7, null), everyMinutes(20, [1, 2]), everyMinutes(15, [0, 23])];
    const hourly: Form = { cron: '30 * * * *', hours: null, minutes: [30], goesOn: true };
    for (const change of momentsOf(zone)) {
      const [from, to] = [change.subtract({ hours: 5 }), change.add({ hours: 5 })];
      for (const form of [...forms, hourly]) await compare(form, zone, from, to);
    }
  });
}

test('both calculations agree for all hours, minutes and starting points', async () => {
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 4 });
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 3 });
  const zones = ZONES.filter((zone) => zone !== 'Asia/Kolkata');
  const property = fc.asyncProperty(
    hours,
    minutes,
    fc.constantFrom(...zones),
    fc.nat(),
    fc.integer({ min: -240, max: 240 }),
    async (hours, minutes, zone, which, shift) => {
      const changes = changesOf(zone, zoned(zone, 2026), zoned(zone, 2029));
      const change = changes[which % changes.length] as Temporal.ZonedDateTime;
      const from = change.add({ minutes: shift });
      await compare(named(minutes, hours), zone, from, from.add({ days: 2 }));
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

test('a fixed time never skips or repeats a day', async () => {
  for (const zone of ZONES) {
    for (const cron of ['0 0 * * *', '30 1 * * *', '15 2 * * *', '59 23 * * *']) {
      const [from, to] = [zoned(zone, 2026), zoned(zone, 2029)];
      const found = await computed(cron, zone, from.epochMilliseconds - 1, to.epochMilliseconds - 1);
      const days = found.map((at) =>
        Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString(),
      );
      assert.equal(new Set(days).size, days.length, `${cron} in ${zone}`);
      assert.equal(days.length, 3 * 365 + 1, `${cron} in ${zone}`);
    }
  }
});

test('an interval stays exact across every clock change', async () => {
  const [anchor, everyMs] = [Date.parse('2026-03-28T12:00:00.123Z'), 90_000];
  const next = await scheduleTimes({ kind: 'every', everyMs, anchor, zone: 'Europe/Berlin' });
  for (let at = anchor, n = 1; n < 2000; n++) {
    at = next(at) ?? Number.NaN;
    assert.equal(at, anchor + n * everyMs);
  }
});
