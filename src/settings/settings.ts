// The table of settings: key, synonyms, type, range, default and help. Precedence: flag, environment, stored value,
// default.

import { QueueError } from '../errors/errors.ts';
import type { Backoff } from '../job/backoff.ts';
import { INHERITANCE } from '../job/environment/environment.ts';
import { STRATEGIES } from '../job/job.ts';
import { nearest } from '../text/nearest.ts';
import { countsAttempts, settingMeant } from '../text/synonyms/settings.ts';
import { ADMISSION_SETTINGS } from './admission-settings.ts';
import { ConfinementInForce } from './confinement-in-force.ts';
import { CONFINEMENT_SETTINGS, confinementOfSettings } from './confinement-settings.ts';
import { limitsOfSettings, LIMIT_SETTINGS } from './limit-settings.ts';
import { POLICY_SETTINGS } from './policy-settings.ts';
import {
  decimal,
  duration,
  hook,
  integer,
  type Setting,
  type SettingValue,
  text,
  word,
  YEAR,
} from './setting-kinds.ts';

export type { SettingValue } from './setting-kinds.ts';

const registry = {
  max_retries: integer(
    3,
    0,
    1_000_000,
    'number of automatic retries after the first attempt, for jobs enqueued from now on',
  ),
  backoff_base: decimal(2, 0, 10 * YEAR, 'base of the delay before a retry, in seconds'),
  backoff_strategy: word(
    'exponential',
    STRATEGIES,
    'growth of the retry delay: exponential (base^attempts), linear (base × attempts) or fixed (base)',
  ),
  backoff_max: duration(3600, 0, 10 * YEAR, 'maximum delay before a retry, in seconds'),
  backoff_jitter: decimal(0, 0, 1, 'random share of the retry delay that is added or subtracted, from 0 to 1'),
  job_timeout: duration(null, 0.001, 10 * YEAR, 'time limit of an attempt in seconds, for jobs enqueued from now on'),
  kill_grace: duration(5, 0, 3600, 'seconds between TERM and KILL when a job is stopped'),
  poll_interval: duration(1, 0.01, 3600, 'seconds between polls of the queue when no wake-up arrives'),
  heartbeat_interval: duration(5, 0.1, 3600, 'seconds between the heartbeats of a worker'),
  lease_duration: duration(30, 1, 86_400, 'seconds without a heartbeat before a worker is considered lost'),
  max_concurrent_jobs: integer(null, 1, 1_000_000, 'maximum number of jobs running at once, across all workers'),
  shell: text('/bin/sh -c', 'program and flags that run a command string'),
  direct_start: word(
    'on',
    ['on', 'off'],
    'whether commands of plain words start without the shell, if that makes no difference',
  ),
  inherit_environment: word(
    'auto',
    INHERITANCE,
    'whether jobs inherit the environment of the shell that enqueues them (auto: only on SQLite)',
  ),
  log_max_bytes: integer(
    10 * 1024 * 1024,
    1024,
    1e12,
    'maximum log size of an attempt in bytes; the middle of longer output is dropped',
    { unit: 'bytes' },
  ),
  retention_completed: duration(
    null,
    0,
    100 * YEAR,
    'age in seconds at which completed and cancelled jobs are deleted',
  ),
  retention_dead: duration(null, 0, 100 * YEAR, 'age in seconds at which dead jobs are deleted'),
  on_success: hook('command or webhook to run when any job completes'),
  on_failure: hook('command or webhook to run when any job becomes dead or is cancelled'),
  on_dead: hook('command or webhook to run when any job becomes dead'),
  webhook_secret: { ...text(null, 'key that signs webhook requests', 'a text'), isSecret: true },
  webhook_allow_private: word('off', ['on', 'off'], 'whether webhooks may call private networks and this host'),
  ...LIMIT_SETTINGS,
  ...CONFINEMENT_SETTINGS,
  ...ADMISSION_SETTINGS,
  ...POLICY_SETTINGS,
} satisfies Record<string, Setting>;

export type SettingKey = keyof typeof registry;
export const SETTINGS: Readonly<Record<SettingKey, Setting>> = registry;
export const SETTING_KEYS = Object.keys(registry) as SettingKey[];

/** Returns the key for any accepted spelling: max-retries, max_retries, default_max_retries. */
export function settingKey(given: string): SettingKey {
  const key = settingMeant(given);
  const found = SETTING_KEYS.find((known) => known === key);
  if (found) return found;
  const near = nearest(key, SETTING_KEYS);
  throw new QueueError('unknown_setting', {
    key: given,
    hint: near ? `did you mean '${near}'?` : `list all settings: queuectl config list`,
  });
}

/** True if the value must never be shown. */
export const isSecretSetting = (given: string): boolean => SETTINGS[settingKey(given)].isSecret ?? false;

/** Parses a value, or throws an error that describes the expected one. */
export function parseSetting(given: string, value: string): SettingValue {
  const key = settingKey(given);
  const setting = SETTINGS[key];
  const none = setting.default === null && /^(none|null|off)$/i.test(value.trim());
  const parsed = none ? null : setting.parse(value.trim());
  if (parsed === undefined) {
    throw new QueueError('invalid_setting', {
      problem: `'${key}' must be ${setting.expected}, not '${value}'`,
      hint: '',
    });
  }
  if (!countsAttempts(given)) return parsed;
  if (Number(parsed) >= 1) return Number(parsed) - 1;
  throw new QueueError('invalid_setting', {
    problem: `'${given}' must be at least 1, not '${value}'`,
    hint: '',
  });
}

export type Source = 'default' | 'stored' | 'environment' | 'flag';
export type Stored = Readonly<Partial<Record<string, SettingValue>>>;

const HIDDEN = '***';

/** Settings in effect. Unknown keys, stored by another version, are ignored. */
export class Settings {
  private readonly stored: Stored;
  private readonly environment: Stored;
  private inForce: ConfinementInForce | undefined;

  constructor(stored: Stored, environment: Stored = {}) {
    this.stored = stored;
    this.environment = environment;
  }

  value(key: SettingKey): SettingValue {
    for (const layer of [this.environment, this.stored]) {
      const value = layer[key];
      if (value !== undefined) return value; // null is a valid value: unset
    }
    return SETTINGS[key].default;
  }

  /** Value for display. */
  shown(key: SettingKey): SettingValue {
    const value = this.value(key);
    return value !== null && SETTINGS[key].isSecret ? HIDDEN : value;
  }

  source(key: SettingKey): Source {
    if (this.environment[key] !== undefined) return 'environment';
    return this.stored[key] === undefined ? 'default' : 'stored';
  }

  number(key: SettingKey): number {
    return Number(this.value(key));
  }

  /** For settings that may be unset. */
  limit(key: SettingKey): number | null {
    const value = this.value(key);
    return value === null ? null : Number(value);
  }

  /** Isolation by queue and for all jobs. */
  get confinement(): ConfinementInForce {
    this.inForce ??= new ConfinementInForce(
      this.stored,
      limitsOfSettings((key) => this.value(key)),
      confinementOfSettings((key) => this.value(key)),
    );
    return this.inForce;
  }

  ms(key: SettingKey): number {
    return this.number(key) * 1000;
  }

  get backoff(): Backoff {
    return {
      strategy: this.value('backoff_strategy') as Backoff['strategy'],
      base: this.number('backoff_base'),
      maxSeconds: this.number('backoff_max'),
      jitter: this.number('backoff_jitter'),
    };
  }
}

/** Reads variables such as QUEUECTL_MAX_RETRIES. */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Stored {
  const found: Record<string, SettingValue> = {};
  for (const key of SETTING_KEYS) {
    const text = environment[`QUEUECTL_${key.toUpperCase()}`];
    if (text !== undefined && text !== '') found[key] = fromVariable(key, text);
  }
  return found;
}

/** Errors name the variable. */
function fromVariable(key: SettingKey, text: string): SettingValue {
  if (SETTINGS[key].isShared)
    throw new QueueError('invalid_setting', {
      problem: `QUEUECTL_${key.toUpperCase()} is set, but '${key}' applies to every user of the queue`,
      hint: `unset the variable and store the setting: queuectl config set ${key} VALUE`,
    });
  try {
    return parseSetting(key, text);
  } catch (error) {
    const problem = `environment variable QUEUECTL_${key.toUpperCase()}: ${(error as Error).message}`;
    throw new QueueError('invalid_setting', { problem, hint: '' }, { cause: error });
  }
}
