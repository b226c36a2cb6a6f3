// Valid cron expressions, and errors for invalid ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCron } from '../../src/schedule/cron-expression.ts';
import { readCron, timesOf, upcoming } from '../../src/schedule/timing.ts';
import { rejection, rejected } from '../support/rejection.ts';

const NOW = Date.parse('2026-11-16T19:00:00Z');

const next: [cron: string, times: string[]][] = [
  ['*/5 * * * *', ['2026-11-16T19:05:00', '2026-11-16T19:10:00']],
  ['30 2 * * *', ['2026-11-17T02:30:00', '2026-11-18T02:30:00']],
  ['*/20 * * * * *', ['2026-11-16T19:00:20', '2026-11-16T19:00:40']],
  ['5/25 * * * *', ['2026-11-16T19:05:00', '2026-11-16T19:30:00']],
  ['0 9 * * mon-fri', ['2026-11-17T09:00:00', '2026-11-18T09:00:00']],
  ['0 9 * * 7', ['2026-11-22T09:00:00', '2026-11-29T09:00:00']],
  ['0 9 * * 5/1', ['2026-11-20T09:00:00', '2026-11-21T09:00:00']],
  ['0 0 L * *', ['2026-11-30T00:00:00', '2026-12-31T00:00:00']],
  ['0 0 LW * *', ['2026-11-30T00:00:00', '2026-12-31T00:00:00']],
  ['0 0 15W * *', ['2026-12-15T00:00:00', '2027-01-15T00:00:00']],
  ['0 0 * * MON#2', ['2026-12-14T00:00:00', '2027-01-11T00:00:00']],
  ['0 0 * * 5L', ['2026-11-27T00:00:00', '2026-12-25T00:00:00']],
  ['0 0 * * FRI#L', ['2026-11-27T00:00:00', '2026-12-25T00:00:00']],
  ['0 0 29 2 ?', ['2028-02-29T00:00:00', '2032-02-29T00:00:00']],
  ['0 0 1 JAN *', ['2027-01-01T00:00:00', '2028-01-01T00:00:00']],
  ['@daily', ['2026-11-17T00:00:00', '2026-11-18T00:00:00']],
  ['@Hourly', ['2026-11-16T20:00:00', '2026-11-16T21:00:00']],
  ['@weekly', ['2026-11-22T00:00:00', '2026-11-29T00:00:00']],
  ['@monthly', ['2026-12-01T00:00:00', '2027-01-01T00:00:00']],
  ['@yearly', ['2027-01-01T00:00:00', '2028-01-01T00:00:00']],
];
for (const [cron, times] of next) {
  test(`'${cron}' runs next at ${times.join(' and ')}`, async () => {
    const timing = await readCron(cron, 'UTC', NOW);
    const found = upcoming(await timesOf(timing), NOW, times.length);
    assert.deepEqual(
      found.map((at) => new Date(at).toISOString().slice(0, 19)),
      times,
    );
  });
}

test('either a day of the month or a day of the week has to match, as in cron', async () => {
  const found = await nextDays('0 0 13 * FRI', 4);
  assert.deepEqual(found, ['2026-11-20', '2026-11-27', '2026-12-04', '2026-12-11']);
});

test('if a day field starts with a star, both day fields have to match, as in cron', async () => {
  assert.deepEqual(await nextDays('0 0 */2 * MON', 3), ['2026-11-23', '2026-12-07', '2026-12-21']);
});

async function nextDays(cron: string, count: number): Promise<string[]> {
  const times = upcoming(await timesOf({ kind: 'cron', expression: cron, zone: 'UTC' }), NOW, count);
  return times.map((at) => new Date(at).toISOString().slice(0, 10));
}

test('spaces around and between the fields do not matter', () => {
  assert.equal(parseCron('  30   2 * *\t* ').text, '30 2 * * *');
});

const wrong: [cron: string, field: RegExp][] = [
  ['61 * * * *', /'minute'.*'61'/],
  ['* 24 * * *', /'hour'.*'24'/],
  ['* * 0 * *', /'day of month'.*'0'/],
  ['* * 32 * *', /'day of month'.*'32'/],
  ['* * * 13 *', /'month'.*'13'/],
  ['* * * FOO *', /'month'.*'FOO'/],
  ['* * * * 8', /'day of week'.*'8'/],
  ['* * * * MON#6', /'day of week'.*'MON#6'/],
  ['* * * * L', /'day of week'.*'L'/],
  ['60 * * * * *', /'second'.*'60'/],
  ['*/90 * * * *', /'minute'.*'\*\/90'/],
  ['*/0 * * * *', /'minute'.*'\*\/0'/],
  ['0 22-2 * * *', /'hour'.*'22-2'/],
  ['0 0 * * FRI-MON', /'day of week'.*'FRI-MON'/],
  ['1,,2 * * * *', /'minute'.*''/],
  ['-1 * * * *', /'minute'.*'-1'/],
  ['1.5 * * * *', /'minute'.*'1.5'/],
  ['* L * * *', /'hour'.*'L'/],
  ['0 0 L-3 * *', /'day of month'.*'L-3'/],
  ['? * * * *', /'minute'.*'\?'/],
  ['constructor * * * *', /'minute'.*'CONSTRUCTOR'/],
];
for (const [cron, sentence] of wrong) {
  test(`'${cron}' is rejected with the name of the field`, () => {
    const error = rejected('invalid_schedule', () => parseCron(cron));
    assert.match(error.message, sentence);
    assert.ok(error.hint);
    assert.equal(error.exitCode, 2);
  });
}

for (const cron of [
  '',
  '*',
  '* * * *',
  '* * * * * * *',
  'every day',
  '@reboot',
  '@every 5m',
  '@fortnightly',
  '@constructor',
]) {
  test(`'${cron}' is not a cron expression`, () => {
    assert.ok(rejected('invalid_schedule', () => parseCron(cron)).hint);
  });
}

for (const cron of ['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 31W 2 *']) {
  test(`'${cron}' never matches and is rejected`, async () => {
    const error = await rejection('invalid_schedule', () => readCron(cron, 'Europe/Berlin', NOW));
    assert.match(error.message, /never matches/);
  });
}
