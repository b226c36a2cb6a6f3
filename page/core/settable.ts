// The fields of a job that a user can set, for cloning a job in a form or on the command line. They are all fields
// except those that queuectl sets, so that new fields are included automatically. Pure.

import type { FIXED, InputName, JobJson } from '../../src/job/fields/fields.ts';
import type { Job } from './types.ts';

export type Fields = Readonly<Record<string, unknown>>;

type OutputOnly = Exclude<keyof JobJson, InputName | keyof typeof FIXED>;

/** Fields that only queuectl sets. The page does not load the table of fields; the type ensures that none is missing. */
const OUTPUT_ONLY: Readonly<Record<OutputOnly | 'history' | 'environment', true>> = {
  interruptions: true,
  snoozes: true,
  held: true,
  held_reason: true,
  schedule: true,
  scheduled_at: true,
  hook_of: true,
  stdin_bytes: true,
  created_at: true,
  updated_at: true,
  started_at: true,
  finished_at: true,
  duration_ms: true,
  exit_code: true,
  signal: true,
  last_error: true,
  fingerprint: true,
  locked_by: true,
  locked_at: true,
  log_path: true,
  peak_memory_bytes: true,
  cpu_user_ms: true,
  cpu_system_ms: true,
  progress: true,
  progress_note: true,
  result: true,
  history: true,
  environment: true,
};

/** The ID and the progress of the job, which a clone does not inherit. */
const OF_THIS_JOB = new Set(['id', 'state', 'attempts', 'next_run_at', 'waiting_reasons']);
/** The values of fields that were not set. */
const DEFAULTS: Fields = {
  queue: 'default',
  priority: 0,
  weight: 1,
  on_dependency_failure: 'cancel',
  split_output: false,
  success_codes: [0],
};
const HIDDEN = '***';

export function settableOf(job: Job, now: number): Fields {
  const { env, run_at, ...others } = Object.fromEntries(
    Object.entries(job).filter(([name]) => !Object.hasOwn(OUTPUT_ONLY, name) && !OF_THIS_JOB.has(name)),
  ) as Partial<Job>;
  const isFuture = run_at != null && Date.parse(run_at) > now; // a past time means now
  const isByRecipe = others.recipe != null;
  const given = {
    ...others,
    ...(isByRecipe && { command: null }),
    run_at: isFuture ? run_at : null,
    env: Object.fromEntries(Object.entries(env ?? {}).filter(([, value]) => value !== HIDDEN)),
  };
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isDefault(name, value)));
}

const isDefault = (name: string, value: unknown): boolean =>
  value === null || value === undefined || isEmpty(value) || JSON.stringify(value) === JSON.stringify(DEFAULTS[name]);

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/** Variables whose values the server hides from this user. */
export const hiddenVariables = ({ env }: Pick<Job, 'env'>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value === HIDDEN ? [name] : []));
