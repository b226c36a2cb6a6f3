// A setting as the API tells it, and its values as people write them.

import { bytes, duration } from '../../core/format.ts';

export type SettingValue = string | number | boolean | null;

export interface Setting {
  readonly key: string;
  readonly value: SettingValue;
  readonly source: 'default' | 'stored' | 'environment' | 'flag';
  readonly default: SettingValue;
  readonly means: string;
}

export const SOURCES: Readonly<Record<Setting['source'], string>> = {
  stored: 'changed',
  environment: 'environment',
  flag: 'a flag of serve',
  default: 'default',
};

export const valueText = (value: SettingValue): string => (value === null ? 'none' : String(value));

/** A large number of seconds or bytes as people say it; null: it is easy to read as it is. */
export function valueNote({ key, value, means }: Setting): string | null {
  if (typeof value !== 'number') return null;
  if (key.endsWith('_bytes')) return bytes(value);
  return /seconds/.test(means) && value >= 120 ? duration(value * 1000) : null;
}

/** What the server shows instead of a secret. */
export const isMasked = ({ value }: Setting): boolean => value === '***';

export const isSecret = ({ key }: Setting): boolean => key.endsWith('_secret');
