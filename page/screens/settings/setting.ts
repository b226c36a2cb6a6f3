// Settings of the API, and their values as text.

import { bytes, duration } from '../../core/format.ts';

export type SettingValue = string | number | boolean | null;

export interface Setting {
  readonly key: string;
  readonly value: SettingValue;
  readonly source: 'default' | 'stored' | 'environment' | 'flag';
  readonly default: SettingValue;
  readonly description: string;
}

export const SOURCES: Readonly<Record<Setting['source'], string>> = {
  stored: 'changed',
  environment: 'environment',
  flag: 'flag of serve',
  default: 'default',
};

export const valueText = (value: SettingValue): string => (value === null ? 'none' : String(value));

/** A large number of seconds or bytes in readable units; null if the number is readable itself. */
export function valueNote({ key, value, description }: Setting): string | null {
  if (typeof value !== 'number') return null;
  if (key.endsWith('_bytes')) return bytes(value);
  return /seconds/.test(description) && value >= 120 ? duration(value * 1000) : null;
}

/** Whether the server hides the value. */
export const isMasked = ({ value }: Setting): boolean => value === '***';

export const isSecret = ({ key }: Setting): boolean => key.endsWith('_secret');
