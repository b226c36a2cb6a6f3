// The value of a setting with its unit, so that users notice a value in the wrong unit.

import { SETTINGS, type SettingKey, type SettingValue } from '../../settings/settings.ts';
import { bytes } from './kit/human.ts';

/** Returns '604800 s (7 d)', '5 s', '10485760 bytes (10.0 MiB)' or 'none'. */
export function settingText(key: SettingKey, value: SettingValue): string {
  if (typeof value !== 'number') return String(value ?? 'none');
  const { unit } = SETTINGS[key];
  if (unit === 'seconds') return value < 60 ? `${value} s` : `${value} s (${parts(value)})`;
  if (unit === 'bytes') return value < 1024 ? bytes(value) : `${value} bytes (${bytes(value)})`;
  return String(value);
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Exact, unlike duration(): '16 min 40 s'. */
function parts(seconds: number): string {
  let rest = seconds;
  return UNITS.flatMap(([unit, size]) => {
    const n = size === 1 ? Number(rest.toFixed(3)) : Math.floor(rest / size);
    rest -= n * size;
    return n > 0 ? [`${n} ${unit}`] : [];
  }).join(' ');
}
