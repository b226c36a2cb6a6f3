// Points in time as people write them, under several time zones.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseWhen, type Zone } from '../../src/time/when.ts';
import { inZone } from '../support/zone.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
const NOW = Date.parse('2026-03-02T10:00:00.000Z'); // a Monday in all of these zones but the last

const utc = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const read = (text: string, zone: Zone = 'utc', now = NOW): string | null => utc(parseWhen(text, now, zone));
const readIn = (place: string, text: string, now = NOW): string | null => inZone(place, () => read(text, 'local', now));

describe('ISO 8601', () => {
  const withZone: [text: string, means: string][] = [
    ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24t18:00:00z', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24 18:00:00.25Z', '2026-12-24T18:00:00.250Z'],
    ['2026-12-24T18:00:00,123456789Z', '2026-12-24T18:00:00.123Z'],
    ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24T18:00:00+0530', '2026-12-24T12:30:00.000Z'],
    ['2026-12-24 9:00 -08:00', '2026-12-24T17:00:00.000Z'],
    ['  2028-02-29T00:00:00Z ', '2028-02-29T00:00:00.000Z'],
  ];
  for (const [text, means] of withZone) {
    test(`'${text}' is the same moment everywhere`, () => {
      assert.equal(read(text), means);
      for (const place of ZONES) assert.equal(readIn(place, text), means, place);
    });
  }

  const withoutZone: [text: string, inUtc: string, inBerlin: string, inNewYork: string][] = [
    ['2026-12-24T18:00:00', '2026-12-24T18:00:00.000Z', '2026-12-24T17:00:00.000Z', '2026-12-24T23:00:00.000Z'],
    ['2026-07-01 9:00', '2026-07-01T09:00:00.000Z', '2026-07-01T07:00:00.000Z', '2026-07-01T13:00:00.000Z'],
    ['2026-12-24', '2026-12-24T00:00:00.000Z', '2026-12-23T23:00:00.000Z', '2026-12-24T05:00:00.000Z'],
  ];
  for (const [text, inUtc, inBerlin, inNewYork] of withoutZone) {
    test(`'${text}' is UTC in JSON, local on the command line`, () => {
      for (const place of ZONES)
        assert.equal(
          inZone(place, () => read(text, 'utc')),
          inUtc,
          place,
        );
      assert.equal(readIn('Europe/Berlin', text), inBerlin);
      assert.equal(readIn('America/New_York', text), inNewYork);
    });
  }

  test('every time printed with a job is read back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') }), (at) => {
        assert.equal(parseWhen(new Date(at).toISOString(), NOW, 'utc'), at);
        assert.equal(parseWhen(new Date(at).toISOString(), NOW, 'local'), at);
      }),
    );
  });
});

describe('relative times', () => {
  const relative: [text: string, seconds: number][] = [
    ['now', 0],
    ['+0', 0],
    ['+30s', 30],
    ['+5m', 300],
    ['+1h30m', 5400],
    ['in 2 hours', 7200],
    ['In 1 day', 86_400],
    ['+45', 45],
    ['+1.5s', 1.5],
  ];
  for (const [text, seconds] of relative) {
    test(`'${text}' counts from now, in JSON and on the command line`, () => {
      for (const zone of ['utc', 'local'] as const) {
        assert.equal(parseWhen(text, NOW, zone), NOW + seconds * 1000);
      }
    });
  }
});

describe('natural times on the command line', () => {
  // At NOW it is Monday 11:00 in Berlin and 5:00 in New York.
  const spoken: [text: string, inBerlin: string, inNewYork: string][] = [
    ['tomorrow 9:00', '2026-03-03T08:00:00.000Z', '2026-03-03T14:00:00.000Z'],
    ['Tomorrow at 9:00', '2026-03-03T08:00:00.000Z', '2026-03-03T14:00:00.000Z'],
    ['tomorrow', '2026-03-02T23:00:00.000Z', '2026-03-03T05:00:00.000Z'],
    ['today 18:30', '2026-03-02T17:30:00.000Z', '2026-03-02T23:30:00.000Z'],
    ['9:00', '2026-03-03T08:00:00.000Z', '2026-03-02T14:00:00.000Z'],
    ['11:30pm', '2026-03-02T22:30:00.000Z', '2026-03-03T04:30:00.000Z'],
    ['tomorrow 12am', '2026-03-02T23:00:00.000Z', '2026-03-03T05:00:00.000Z'],
    ['tomorrow noon', '2026-03-03T11:00:00.000Z', '2026-03-03T17:00:00.000Z'],
    ['friday 18:30', '2026-03-06T17:30:00.000Z', '2026-03-06T23:30:00.000Z'],
    ['fri 6:30:15 pm', '2026-03-06T17:30:15.000Z', '2026-03-06T23:30:15.000Z'],
    ['sunday', '2026-03-07T23:00:00.000Z', '2026-03-08T05:00:00.000Z'],
  ];
  for (const [text, inBerlin, inNewYork] of spoken) {
    test(`'${text}' is read in local time`, () => {
      assert.equal(readIn('Europe/Berlin', text), inBerlin);
      assert.equal(readIn('America/New_York', text), inNewYork);
    });
  }

  test("'tomorrow 9:00' is at nine o'clock over a change to summer time", () => {
    const eve = Date.parse('2026-03-28T20:00:00Z');
    assert.equal(readIn('Europe/Berlin', 'tomorrow 9:00', eve), '2026-03-29T07:00:00.000Z');
  });

  test('a time skipped by the change to summer time is still a moment of that day', () => {
    const eve = Date.parse('2026-03-28T20:00:00Z');
    assert.match(readIn('Europe/Berlin', 'tomorrow 2:30', eve) ?? '', /^2026-03-29T0[01]:30:00\.000Z$/);
  });

  test('a time of day is never in the past', () => {
    fc.assert(
      fc.property(
        fc.nat(23),
        fc.nat(59),
        fc.constantFrom(...ZONES),
        fc.nat(86_400_000),
        (hours, minutes, place, ahead) => {
          const now = NOW + ahead;
          const text = `${hours}:${String(minutes).padStart(2, '0')}`;
          const at = inZone(place, () => parseWhen(text, now, 'local')) ?? 0;
          assert.ok(at > now && at <= now + 25 * 3_600_000, utc(at) ?? '');
        },
      ),
    );
  });

  test('a weekday is one of the next seven days', () => {
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    for (const place of ZONES) {
      for (const [index, day] of days.entries()) {
        inZone(place, () => {
          const at = new Date(parseWhen(`${day} 12:00`, NOW, 'local') ?? 0);
          assert.equal(at.getDay(), index, `${day} in ${place}`);
          assert.ok(at.getTime() > NOW && at.getTime() - NOW <= 7 * 86_400_000 + 43_200_000, `${day} in ${place}`);
        });
      }
    }
  });

  test('are not valid in JSON, which has no time zone', () => {
    for (const [text] of spoken) assert.equal(read(text, 'utc'), null, text);
  });
});

describe('invalid times', () => {
  const wrong = [
    '', ' ', 'soon', '2026-02-30', '2026-02-29T00:00:00Z', '2026-13-01', '2026-00-10', '2026-04-31 9:00',
    '2026-12-24T25:00:00Z', '2026-12-24T12:60:00Z', '2026-12-24T12:00:61Z', '2026-12-24T12:00:00+99:00', '2026-12-24T',
    '24.12.2026', '12/24/2026', '1960-01-01T00:00:00Z', '+', '+5x', '-5m', 'in', 'in a while', '+1e9', '25:00', '9:60',
    '13pm', '0am', '9', 'tomorrow 25:00', 'tomorrow never', 'fr 9:00', 'someday 9:00', '+99999999999999999999d',
    `+${'9'.repeat(400)}`, '1772445600000',
  ]; // biome-ignore format: a list of words
  for (const text of wrong) {
    test(`'${text.slice(0, 30)}'`, () => {
      assert.equal(read(text, 'utc'), null);
      assert.equal(readIn('Europe/Berlin', text), null);
    });
  }

  test('any text is a moment from 1970 to 9999, or invalid', () => {
    const pieces = fc.constantFrom(
      '+',
      'in ',
      '9',
      ':',
      '00',
      ' ',
      'tomorrow',
      'fri',
      '2026-',
      '02-',
      '30',
      'T',
      'Z',
      'pm',
      'm',
    );
    const aPhrase = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(aPhrase, fc.constantFrom<Zone>('utc', 'local'), (text, zone) => {
        const at = parseWhen(text, NOW, zone);
        assert.ok(at === null || (Number.isInteger(at) && at >= 0 && at < 253_402_300_800_000), String(at));
      }),
    );
  });
});
