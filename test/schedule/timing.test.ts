// When a schedule runs: intervals, single times, zones and jitter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkJitter, jitterOf } from '../../src/schedule/jitter.ts';
import { readAt, readCron, readEvery, timesOf, upcoming } from '../../src/schedule/timing.ts';
import { timeInZone, timingInWords } from '../../src/schedule/words.ts';
import { localZone, readZone } from '../../src/schedule/zone.ts';
import { rejected } from '../support/rejection.ts';
import { inZone } from '../support/zone.ts';

const NOW = Date.parse('2026-11-16T19:00:00Z');

test('an interval counts from its anchor, not from the last check', async () => {
  const next = await timesOf(readEvery('90s', 'UTC', NOW));
  assert.deepEqual(upcoming(next, NOW, 2), [NOW + 90_000, NOW + 180_000]);
  assert.equal(next(NOW + 100_001), NOW + 180_000);
  assert.equal(next(NOW - 10 * 90_000), NOW + 90_000, 'it has not begun before its anchor');
});

for (const every of ['0s', '0', '500ms', '20000d', 'often', '-5m', '']) {
  test(`an interval of '${every}' is rejected`, () => {
    assert.match(rejected('invalid_schedule', () => readEvery(every, 'UTC', NOW)).message, /--every/);
  });
}

test('a one-time schedule runs once', async () => {
  const next = await timesOf(readAt('2026-12-24T18:00:00Z', 'UTC', false, NOW));
  assert.deepEqual(upcoming(next, NOW, 5), [Date.parse('2026-12-24T18:00:00Z')]);
});

test('a single time without a zone is read in the zone of the schedule', () => {
  const at = (written: string, zone: string) => {
    const timing = readAt(written, zone, false, NOW);
    return timing.kind === 'at' ? new Date(timing.at).toISOString() : '';
  };
  assert.equal(at('2026-12-24 18:00', 'Europe/Berlin'), '2026-12-24T17:00:00.000Z');
  assert.equal(at('2026-12-24', 'America/New_York'), '2026-12-24T05:00:00.000Z');
  assert.equal(at('2026-12-24T18:00:00+05:00', 'Europe/Berlin'), '2026-12-24T13:00:00.000Z');
  assert.equal(at('+5m', 'Europe/Berlin'), '2026-11-16T19:05:00.000Z');
  assert.equal(at('2027-03-28 02:30', 'Europe/Berlin'), '2027-03-28T01:00:00.000Z');
});

test('words such as tomorrow are read in the zone of the machine', () => {
  inZone('America/New_York', () => {
    const timing = readAt('tomorrow 9:00', 'America/New_York', true, NOW);
    assert.deepEqual(timing, {
      kind: 'at',
      at: Date.parse('2026-11-17T14:00:00Z'),
      zone: 'America/New_York',
    });
  });
  const error = rejected('invalid_schedule', () => readAt('tomorrow 9:00', 'Asia/Kolkata', false, NOW));
  assert.match(error.hint ?? '', /use a full date/);
});

test('a single time in the past is rejected', () => {
  const error = rejected('invalid_schedule', () => readAt('2026-11-16T18:59:59Z', 'UTC', false, NOW));
  assert.match(error.message, /is in the past/);
});

test('an IANA zone name is accepted in any case and shown in canonical spelling', () => {
  assert.equal(readZone('europe/berlin'), 'Europe/Berlin');
  assert.equal(readZone('Asia/Kolkata'), 'Asia/Kolkata');
  assert.equal(readZone('utc'), 'UTC');
  assert.equal(inZone('America/Santiago', localZone), 'America/Santiago');
});

for (const zone of ['Europe/Berlinn', 'Mars/Olympus', '', '+02:00', 'local']) {
  test(`'${zone}' is not a zone`, () => {
    const error = rejected('invalid_schedule', () => readZone(zone));
    assert.match(error.message, /unknown time zone/);
    assert.ok(error.hint);
  });
}

test('a mistyped zone yields a suggestion', () => {
  assert.equal(rejected('invalid_schedule', () => readZone('Europe/Berlinn')).hint, "did you mean 'Europe/Berlin'?");
});

test('jitter depends on the name and stays below its bound', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 86_400_000 }), (name, jitterMs) => {
      const jitter = jitterOf(name, jitterMs);
      assert.ok(jitter >= 0 && jitter < jitterMs && Number.isInteger(jitter));
      assert.equal(jitterOf(name, jitterMs), jitter);
    }),
  );
  assert.equal(jitterOf('backup', 0), 0);
  const spread = Array.from({ length: 1000 }, (_, i) => Math.floor(jitterOf(`job-${i}`, 60_000) / 6000));
  for (let tenth = 0; tenth < 10; tenth++) {
    const n = spread.filter((part) => part === tenth).length;
    assert.ok(n > 50 && n < 150, `${n} of 1000 names in part ${tenth}`);
  }
});

test('jitter as long as the interval is rejected', async () => {
  const next = await timesOf(await readCron('*/5 * * * *', 'UTC', NOW));
  checkJitter(299_000, next, NOW);
  assert.match(rejected('invalid_schedule', () => checkJitter(300_000, next, NOW)).message, /300 seconds/);
  const uneven = await timesOf(await readCron('0,5 9 * * *', 'UTC', NOW));
  rejected('invalid_schedule', () => checkJitter(600_000, uneven, NOW));
  const once = await timesOf(readAt('+1h', 'UTC', false, NOW));
  assert.match(rejected('invalid_schedule', () => checkJitter(1000, once, NOW)).message, /a repeating schedule/);
});

test('a timing is described in words', async () => {
  const cron = async (expression: string) => timingInWords({ kind: 'cron', expression, zone: 'UTC' });
  assert.equal(await cron('*/5 * * * *'), 'every 5 minutes');
  assert.equal(await cron('30 2 * * *'), 'every day at 02:30');
  assert.equal(await cron('@daily'), 'every day at 00:00');
  assert.equal(await cron('0 9,17 * * *'), 'every day at 09:00 and 17:00');
  assert.equal(await cron('5 * * * *'), 'at 5 minutes past the hour');
  assert.equal(await cron('30 2 * * MON'), 'at 02:30, only on Monday');
  assert.equal(await cron('0 0 * * FRI#L'), 'at 00:00, on the last Friday of the month');
  const every = (written: string) => timingInWords(readEvery(written, 'UTC', NOW));
  assert.equal(await every('90s'), 'every 1 minute 30 seconds');
  assert.equal(await every('1h'), 'every hour');
  assert.equal(await every('2d'), 'every 2 days');
  assert.equal(await every('1500ms'), 'every 1.5 seconds');
  assert.equal(await timingInWords(readAt('+5m', 'UTC', false, NOW)), 'once');
});

test('a time is shown in its zone with the offset', () => {
  assert.equal(timeInZone(NOW, 'Europe/Berlin'), 'Mon 2026-11-16 20:00:00 +01:00');
  assert.equal(timeInZone(NOW, 'Asia/Kolkata'), 'Tue 2026-11-17 00:30:00 +05:30');
  assert.equal(timeInZone(NOW, 'America/New_York'), 'Mon 2026-11-16 14:00:00 -05:00');
  assert.equal(timeInZone(NOW, 'UTC'), 'Mon 2026-11-16 19:00:00 +00:00');
});
