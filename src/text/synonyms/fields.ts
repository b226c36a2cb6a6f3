// Names that other tools use for job fields. They only get a hint, because some tools mean something slightly
// different.

const MEANT: Readonly<Record<string, string>> = {
  retries: 'max_retries',
  retry: 'max_retries',
  tries: 'max_attempts',
  max_tries: 'max_attempts',
  job_timeout: 'timeout',
  time_limit: 'timeout',
  backoff: 'backoff_base',
  shell: 'command',
  script: 'command',
  dir: 'cwd',
  directory: 'cwd',
  folder: 'cwd',
  workdir: 'cwd',
  working_dir: 'cwd',
  working_directory: 'cwd',
  dependencies: 'depends_on',
  needs: 'depends_on',
  requires: 'depends_on',
  label: 'tags',
  labels: 'tags',
  run_after: 'run_at',
  schedule_at: 'run_at',
  scheduled_for: 'run_at',
  start_at: 'run_at',
};

/** Returns the field that a foreign name stands for. */
export function meantBy(name: string): string | undefined {
  return Object.hasOwn(MEANT, name) ? MEANT[name] : undefined;
}

/** Returns every synonym with its field. */
export function fieldSynonyms(): [string, string][] {
  return Object.entries(MEANT);
}
