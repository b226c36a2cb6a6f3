// Every setting once: key, other names, type, range, default, one sentence. Flag > environment > stored > default.

import { QueueError } from '../errors.ts';
import type { Backoff } from '../job/backoff.ts';
import { parseDurationMs } from '../time/duration.ts';
import { INHERITANCE } from '../job/environment.ts';
import { problemWithHook } from '../job/hooks.ts';
import { STRATEGIES } from '../job/job.ts';
import { foldersIn, HELD_TO_RECIPES, namesIn, programsIn } from '../job/policy-lists.ts';
import { nearest } from '../text/nearest.ts';

export type SettingValue = string | number | null;

interface Setting {
  readonly default: SettingValue;
  readonly aliases?: readonly string[];
  readonly means: string;
  /** The value that the text says, or undefined when it says none. */
  readonly parse: (text: string) => SettingValue | undefined;
  readonly expected: string;
  /** Its value is shown to nobody. */
  readonly isSecret?: boolean;
  /** It holds for everybody who uses the queue, whatever the environment of one of them says. */
  readonly isShared?: boolean;
}

const YEAR = 31_536_000;

const registry = {
  max_retries: integer(3, 0, 1_000_000, 'retries after the first attempt, for jobs enqueued from now on', {
    aliases: ['default_max_retries', 'retries'],
  }),
  backoff_base: decimal(2, 0, 10 * YEAR, 'base of the delay before a retry, in seconds', {
    aliases: ['job_retry_delay'],
  }),
  backoff_strategy: word(
    'exponential',
    STRATEGIES,
    'exponential: base^attempts, linear: base × attempts, fixed: base',
  ),
  backoff_max: duration(3600, 0, 10 * YEAR, 'longest delay before a retry, in seconds'),
  backoff_jitter: decimal(0, 0, 1, 'part of the delay that chance may add or take off, 0 to 1'),
  job_timeout: duration(
    null,
    0.001,
    10 * YEAR,
    'seconds an attempt may take, for jobs enqueued from now on',
    {
      aliases: ['timeout'],
    },
  ),
  kill_grace: duration(5, 0, 3600, 'seconds between TERM and KILL when a job is ended'),
  poll_interval: duration(1, 0.01, 3600, 'seconds between looks at the queue when no wake-up came', {
    aliases: ['worker_poll_interval'],
  }),
  heartbeat_interval: duration(5, 0.1, 3600, 'seconds between the signs of life of a worker', {
    aliases: ['worker_heartbeat_interval'],
  }),
  lease_duration: duration(
    30,
    1,
    86_400,
    'seconds without a sign of life after which a worker is taken for lost',
  ),
  max_concurrent_jobs: integer(null, 1, 1_000_000, 'jobs that may run at once, over all workers'),
  shell: text('/bin/sh -c', 'the program and flags that a command string is handed to'),
  inherit_environment: word(
    'auto',
    INHERITANCE,
    'jobs run with the environment of the shell that enqueues them; auto: on SQLite only',
  ),
  log_max_bytes: integer(
    10 * 1024 * 1024,
    1024,
    1e12,
    'size of the log of an attempt; beyond it the middle is left out',
  ),
  retention_completed: duration(
    null,
    0,
    100 * YEAR,
    'seconds after which completed and cancelled jobs are removed',
  ),
  retention_dead: duration(null, 0, 100 * YEAR, 'seconds after which dead jobs are removed'),
  on_success: hook('command or webhook when any job has completed'),
  on_failure: hook('command or webhook when any job is dead or was cancelled'),
  on_dead: hook('command or webhook when any job is dead'),
  webhook_secret: { ...text(null, 'signs what is sent to webhooks', 'a text'), isSecret: true },
  webhook_allow_private: word(
    'off',
    ['on', 'off'],
    'webhooks may be in private networks and on this machine',
  ),
  policy_shell: shared(word('allow', ['allow', 'refuse'], 'whether commands for the shell may be enqueued')),
  policy_programs: list(
    "programs that may run, with their arguments: '/usr/bin/convert **; rsync -a * backup:*'",
    programsIn,
    'absolute paths or names of programs with patterns of their arguments, ; between them, ** last for any more',
  ),
  policy_folders: list('folders that jobs may run in or below', foldersIn, 'absolute paths, ; between them'),
  policy_queues: list('queues that take jobs', namesIn, 'names or patterns, spaces between them'),
  policy_users: list('who may enqueue: ann@*, token:ci', namesIn, 'names or patterns, spaces between them'),
  policy_recipes_only: shared(
    word(
      'nobody',
      HELD_TO_RECIPES,
      'who may enqueue recipes alone; enqueuers: that role, api: all over HTTP and agents',
    ),
  ),
} satisfies Record<string, Setting>;

export type SettingKey = keyof typeof registry;
export const SETTINGS: Readonly<Record<SettingKey, Setting>> = registry;
export const SETTING_KEYS = Object.keys(registry) as SettingKey[];

/** What `default_max_tries` counts is starts, not retries. */
const MAX_TRIES_ALIAS = 'default_max_tries';

/** The key meant by any accepted spelling: max-retries, max_retries, default_max_retries. */
export function settingKey(given: string): SettingKey {
  const key = given.replaceAll('-', '_').toLowerCase();
  if (key === MAX_TRIES_ALIAS) return 'max_retries';
  const found = SETTING_KEYS.find((known) => known === key || SETTINGS[known].aliases?.includes(key));
  if (found) return found;
  const near = nearest(key, SETTING_KEYS);
  throw new QueueError('unknown_setting', {
    key: given,
    hint: near ? `did you mean '${near}'?` : `queuectl config list shows them all`,
  });
}

/** Whether the value of the key that `given` names must be told to nobody. */
export const isSecretSetting = (given: string): boolean => SETTINGS[settingKey(given)].isSecret ?? false;

/** Reads a value for the key that `given` names; a wrong one is an error that says what is expected. */
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
  if (given.replaceAll('-', '_').toLowerCase() !== MAX_TRIES_ALIAS) return parsed;
  if (Number(parsed) >= 1) return Number(parsed) - 1;
  throw new QueueError('invalid_setting', {
    problem: `'${given}' must be at least 1, not '${value}'`,
    hint: '',
  });
}

export type Source = 'default' | 'stored' | 'environment' | 'flag';
export type Stored = Readonly<Partial<Record<string, SettingValue>>>;

const HIDDEN = '***';

/** The settings in force. Stored keys of another version, unknown here, are passed over. */
export class Settings {
  private readonly stored: Stored;
  private readonly environment: Stored;

  constructor(stored: Stored, environment: Stored = {}) {
    this.stored = stored;
    this.environment = environment;
  }

  value(key: SettingKey): SettingValue {
    for (const layer of [this.environment, this.stored]) {
      const value = layer[key];
      if (value !== undefined) return value; // null is a value: none
    }
    return SETTINGS[key].default;
  }

  /** As it may be shown to people. */
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

  /** For settings that may be none. */
  limit(key: SettingKey): number | null {
    const value = this.value(key);
    return value === null ? null : Number(value);
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

/** QUEUECTL_MAX_RETRIES and its siblings. */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Stored {
  const found: Record<string, SettingValue> = {};
  for (const key of SETTING_KEYS) {
    const text = environment[`QUEUECTL_${key.toUpperCase()}`];
    if (text !== undefined && text !== '') found[key] = fromVariable(key, text);
  }
  return found;
}

/** An error names what the user wrote: the variable. */
function fromVariable(key: SettingKey, text: string): SettingValue {
  if (SETTINGS[key].isShared)
    throw new QueueError('invalid_setting', {
      problem: `QUEUECTL_${key.toUpperCase()} in the environment: '${key}' holds for everybody who uses the queue`,
      hint: `store it there: queuectl config set ${key} VALUE`,
    });
  try {
    return parseSetting(key, text);
  } catch (error) {
    const problem = `QUEUECTL_${key.toUpperCase()} in the environment: ${(error as Error).message}`;
    throw new QueueError('invalid_setting', { problem, hint: '' }, { cause: error });
  }
}

type Extra = Pick<Setting, 'aliases'>;

function integer(
  fallback: number | null,
  min: number,
  max: number,
  means: string,
  extra: Extra = {},
): Setting {
  const parse = (text: string) => (/^[+-]?\d+$/.test(text) ? within(Number(text), min, max) : undefined);
  return { default: fallback, means, parse, expected: `a whole number from ${min} to ${max}`, ...extra };
}

function decimal(fallback: number, min: number, max: number, means: string, extra: Extra = {}): Setting {
  const parse = (text: string) =>
    /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? within(Number(text), min, max) : undefined;
  return { default: fallback, means, parse, expected: `a number from ${min} to ${max}`, ...extra };
}

function duration(
  fallback: number | null,
  min: number,
  max: number,
  means: string,
  extra: Extra = {},
): Setting {
  const parse = (text: string) => {
    const ms = parseDurationMs(text);
    return ms === null ? undefined : within(ms / 1000, min, max);
  };
  const expected = `a number of seconds from ${min} to ${max}, or a duration such as 90s, 5m or 2d`;
  return { default: fallback, means, parse, expected, ...extra };
}

function word(fallback: string, words: readonly string[], means: string): Setting {
  const parse = (text: string) => words.find((known) => known === text.toLowerCase());
  return { default: fallback, means, parse, expected: `one of ${words.join(', ')}` };
}

function text(fallback: string | null, means: string, expected = 'a program and its flags'): Setting {
  const parse = (value: string) => (value === '' || value.includes('\0') ? undefined : value);
  return { default: fallback, means, parse, expected };
}

function hook(means: string): Setting {
  const expected = 'a command for the shell, or an address that starts with http:// or https://';
  const setting = text(null, means, expected);
  const parse = (value: string) => (problemWithHook(value) === null ? setting.parse(value) : undefined);
  return { ...setting, parse, isShared: true };
}

function shared(setting: Setting): Setting {
  return { ...setting, isShared: true };
}

/** Kept as it was written, for people to read. */
function list(means: string, read: (text: string) => unknown, expected: string): Setting {
  const parse = (value: string) => (read(value) === undefined ? undefined : value);
  return { default: null, means, parse, expected, isShared: true };
}

const within = (value: number, min: number, max: number): number | undefined =>
  value >= min && value <= max ? value : undefined;
