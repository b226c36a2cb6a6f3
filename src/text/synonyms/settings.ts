// Synonyms of settings. Each has the same unit and meaning, except for ATTEMPT_NAMES.

const SETTINGS: Readonly<Record<string, string>> = {
  default_max_retries: 'max_retries',
  retries: 'max_retries',
  job_retry_delay: 'backoff_base',
  base_backoff: 'backoff_base',
  base_delay: 'backoff_base',
  max_backoff: 'backoff_max',
  max_backoff_seconds: 'backoff_max',
  backoff_cap: 'backoff_max',
  backoff_cap_seconds: 'backoff_max',
  timeout: 'job_timeout',
  default_timeout: 'job_timeout',
  default_job_timeout: 'job_timeout',
  worker_poll_interval: 'poll_interval',
  worker_heartbeat: 'heartbeat_interval',
  worker_heartbeat_interval: 'heartbeat_interval',
};

/** Synonyms of max_retries that count attempts, which are one more than the retries. */
const ATTEMPT_NAMES: readonly string[] = ['default_max_tries', 'max_tries', 'default_max_attempts', 'max_attempts'];

const spelled = (given: string): string => given.replaceAll('-', '_').toLowerCase();

/** Returns the key of a spelling; spellings without an entry are converted to snake_case. */
export function settingMeant(given: string): string {
  const key = spelled(given);
  if (countsAttempts(key)) return 'max_retries';
  return Object.hasOwn(SETTINGS, key) ? (SETTINGS[key] ?? key) : key;
}

export function countsAttempts(given: string): boolean {
  return ATTEMPT_NAMES.includes(spelled(given));
}

/** Returns every synonym with its setting. */
export function settingSynonyms(): [string, string][] {
  return [...Object.keys(SETTINGS), ...ATTEMPT_NAMES].map((name) => [name, settingMeant(name)]);
}
