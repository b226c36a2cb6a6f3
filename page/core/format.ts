// Formats numbers, times and durations like the command line does, in the browser's time zone.

const number = new Intl.NumberFormat('en-US');
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'long',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const shortClock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const count = (n: number): string => number.format(n);

/** 'one job', '1,204 jobs'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 4 s · 1 min 20 s · 3 h 5 min · 2 d 4 h; below ten seconds with a tenth. */
export function duration(ms: number): string {
  if (ms < 1) return '0 s';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1).replace('.0', '')} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return two(ms, MINUTE, 'min', SECOND, 's');
  if (ms < DAY) return two(ms, HOUR, 'h', MINUTE, 'min');
  return two(ms, DAY, 'd', HOUR, 'h');
}

function two(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)} ${bigName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

/** One unit, for tables: 4 s, 3 min, 5 h, 12 d. */
export function age(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** 'in 38 s', '5 min ago', 'now'. */
export function relative(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < SECOND) return 'now';
  return distance > 0 ? `in ${age(distance)}` : `${age(-distance)} ago`;
}

export const exactTime = (at: number): string => exact.format(at);
export const clockTime = (at: number): string => clock.format(at);

/** 14:03 today, 3 Nov 14:03 otherwise. */
export function shortTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return shortClock.format(at);
  const date = then.getFullYear() === today.getFullYear() ? day.format(at) : dayAndYear.format(at);
  return `${date} ${shortClock.format(at)}`;
}

export const minuteOf = (at: number): string => shortClock.format(at);
export const dayOf = (at: number): string => day.format(at);

/** 1.2 kB, 10 MB. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${value < 10 ? value.toFixed(1).replace('.0', '') : Math.round(value)} ${units[power - 1]}`;
}

export const percent = (share: number): string =>
  `${share < 0.1 ? (share * 100).toFixed(1).replace('.0', '') : Math.round(share * 100)} %`;

/** A command as typed in a shell, with quotes where needed. */
export const commandText = (command: string | readonly string[]): string =>
  typeof command === 'string' ? command : command.map(shellWord).join(' ');

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Control and bidirectional characters, which can disguise a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const DECEIVING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes a user's text safe to display. Copy and send the original instead. */
export const shown = (text: string | null): string => (text ?? '').replace(DECEIVING, '\ufffd');
