// Times such as ISO 8601, +5m, 'in 2 hours', 9:00, 'tomorrow 9:00', 'friday 18:30'. Pure except for the machine's time
// zone.

import { parseDurationMs } from './duration.ts';

export type Zone = 'utc' | 'local';

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(am|pm)?$/;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns milliseconds since the epoch, or null if the text is invalid. A time without a zone is read in `zone`. */
export function parseWhen(text: string, now: number, zone: Zone): number | null {
  const phrase = text.trim();
  const at =
    relative(phrase, now) ?? iso(phrase, zone) ?? (zone === 'local' ? spoken(phrase.toLowerCase(), now) : null);
  return at !== null && at >= 0 && at <= LATEST ? at : null;
}

function relative(phrase: string, now: number): number | null {
  if (phrase.toLowerCase() === 'now') return now;
  const match = /^(?:\+|in\s+)(.+)$/i.exec(phrase);
  const ms = match?.[1] === undefined ? null : parseDurationMs(match[1]);
  return ms === null ? null : Math.round(now + ms);
}

function iso(phrase: string, zone: Zone): number | null {
  const match = ISO.exec(phrase);
  if (!match) return null;
  const [, day = '', clock = '0:00', offset] = match;
  if (!isRealDay(day)) return null;
  const time = clock.padStart(clock.indexOf(':') === 1 ? clock.length + 1 : clock.length, '0').replace(',', '.');
  const suffix = offset ?? (zone === 'utc' ? 'Z' : '');
  const at = Date.parse(`${day}T${time}${suffix.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  return Number.isNaN(at) ? null : at;
}

// Date.parse accepts 2026-02-30 and returns a day in March.
function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

function spoken(phrase: string, now: number): number | null {
  const [first = '', ...rest] = phrase.replace(/\bat\s+/, '').split(/\s+/);
  const days = daysAhead(first, now);
  if (days !== null) return aheadOf(now, days, rest.length === 0 ? '0:00' : rest.join(' '), first);
  const today = onDay(now, 0, [first, ...rest].join(' '));
  if (today === null || today > now) return today;
  return onDay(now, 1, [first, ...rest].join(' '));
}

function daysAhead(word: string, now: number): number | null {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  if (word.length < 3) return null;
  const weekday = WEEKDAYS.findIndex((name) => name === word || name.slice(0, 3) === word);
  return weekday < 0 ? null : (weekday - new Date(now).getDay() + 7) % 7;
}

/** A weekday whose time has passed today means next week. */
function aheadOf(now: number, days: number, clock: string, word: string): number | null {
  const at = onDay(now, days, clock);
  return at !== null && at <= now && word !== 'today' ? onDay(now, days + 7, clock) : at;
}

function onDay(now: number, days: number, clock: string): number | null {
  const time = clockOf(clock);
  if (!time) return null;
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  day.setHours(time.hours, time.minutes, time.seconds, 0);
  return day.getTime();
}

function clockOf(clock: string): { hours: number; minutes: number; seconds: number } | null {
  if (clock === 'noon') return { hours: 12, minutes: 0, seconds: 0 };
  if (clock === 'midnight') return { hours: 0, minutes: 0, seconds: 0 };
  const match = CLOCK.exec(clock);
  if (!match || (match[2] === undefined && match[4] === undefined)) return null;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (match[4] && (hours < 1 || hours > 12)) return null;
  const of24 = match[4] ? (hours % 12) + (match[4] === 'pm' ? 12 : 0) : hours;
  return of24 < 24 && minutes < 60 && seconds < 60 ? { hours: of24, minutes, seconds } : null;
}
