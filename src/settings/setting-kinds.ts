// Kinds of settings: parsers and error texts.

import { problemWithHook } from '../job/flow/hooks.ts';
import { parseBytes } from '../text/size.ts';
import { parseDurationMs } from '../time/duration.ts';

export type SettingValue = string | number | null;

export interface Setting {
  readonly default: SettingValue;
  /** Unit of a number. */
  readonly unit?: 'seconds' | 'bytes';
  readonly help: string;
  /** Returns undefined if the text is invalid. */
  readonly parse: (text: string) => SettingValue | undefined;
  readonly expected: string;
  /** True if the value is never shown. */
  readonly isSecret?: boolean;
  /** True if it applies to all users of the queue and the environment cannot override it. */
  readonly isShared?: boolean;
}

export const YEAR = 31_536_000;

type Extra = Pick<Setting, 'unit'>;

export function integer(fallback: number | null, min: number, max: number, help: string, extra: Extra = {}): Setting {
  const parse = (text: string) => (/^[+-]?\d+$/.test(text) ? within(Number(text), min, max) : undefined);
  return { default: fallback, help, parse, expected: `a whole number from ${min} to ${max}`, ...extra };
}

export function decimal(fallback: number, min: number, max: number, help: string): Setting {
  const parse = (text: string) => (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? within(Number(text), min, max) : undefined);
  return { default: fallback, help, parse, expected: `a number from ${min} to ${max}` };
}

export function duration(fallback: number | null, min: number, max: number, help: string): Setting {
  const parse = (text: string) => {
    const ms = parseDurationMs(text);
    return ms === null ? undefined : within(ms / 1000, min, max);
  };
  const expected = `a number of seconds from ${min} to ${max}, or a duration such as 90s, 5m or 2d`;
  return { default: fallback, help, parse, expected, unit: 'seconds' };
}

export function word(fallback: string, words: readonly string[], help: string): Setting {
  const parse = (text: string) => words.find((known) => known === text.toLowerCase());
  return { default: fallback, help, parse, expected: `one of ${words.join(', ')}` };
}

export function text(fallback: string | null, help: string, expected = 'a program and its flags'): Setting {
  const parse = (value: string) => (value === '' || value.includes('\0') ? undefined : value);
  return { default: fallback, help, parse, expected };
}

export function hook(help: string): Setting {
  const expected = 'a shell command, or a URL that starts with http:// or https://';
  const setting = text(null, help, expected);
  const parse = (value: string) => (problemWithHook(value) === null ? setting.parse(value) : undefined);
  return { ...setting, parse, isShared: true };
}

/** A size such as 512M; unset by default. */
export function size(min: number, help: string): Setting {
  const parse = (text: string) => {
    const bytes = parseBytes(text);
    return bytes === null || bytes < min ? undefined : bytes;
  };
  return { default: null, help, parse, expected: 'a size such as 512M or 1G', unit: 'bytes' };
}

/** For a setting that applies to all users of the queue. */
export const shared = (setting: Setting): Setting => ({ ...setting, isShared: true });

const within = (value: number, min: number, max: number): number | undefined =>
  value >= min && value <= max ? value : undefined;
