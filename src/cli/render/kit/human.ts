// Numbers and times as text.

/** Returns '1,204'. Does not use Intl, whose first use takes longer than the rest of a short command. */
export const count = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** Returns '1 job' or '1,204 jobs'. */
export const many = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** Returns '3 users' and '1 token', without zeros. */
export const manyOf = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([noun, n]) => (n > 0 ? [many(n, noun)] : []));

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** Returns '0.2 s', '38 s', '4 min', '2 h 5 min' or '3 d'. */
export function duration(ms: number): string {
  if (ms < 1) return '0 s';
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const index = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[index] ?? ['s', 1000];
  const next = UNITS[index + 1];
  const rest = next && index < 2 ? Math.floor((ms % size) / next[1]) : 0;
  return `${Math.floor(ms / size)} ${unit}${rest > 0 && next ? ` ${rest} ${next[0]}` : ''}`;
}

/** Like duration(), but in whole seconds, so that live values do not flicker: '4 s', '2 h 5 min'. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** Returns 'in 38 s', 'now' or '4 min ago'. */
export function fromNow(at: number | null, now: number): string {
  if (at === null) return '';
  if (Math.abs(at - now) < 1000) return 'now';
  return at > now ? `in ${age(at - now)}` : `${age(now - at)} ago`;
}

const pad = (n: number): string => String(n).padStart(2, '0');

/** Returns the local time: '20:14:03'. */
export function clock(at: number): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Returns the local date and time: '2026-11-15 20:14:03'. */
export function dateTime(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clock(at)}`;
}

export function bytes(n: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = n < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(n) / 10));
  return power === 0 ? `${n} bytes` : `${(n / 1024 ** power).toFixed(1)} ${units[power]}`;
}
