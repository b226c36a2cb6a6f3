// The job template of a schedule, with the fields given when the schedule was added. Other fields get their defaults at
// each run, as if the job were enqueued then.

import { type InputContext, parseJob } from '../job/input/input.ts';
import type { NewJob } from '../job/job.ts';
import { invalid } from './invalid.ts';

/** Fields that each run sets, or that make no sense for a repeated job. */
type NotOfTemplate = 'id' | 'runAt' | 'dependsOn' | 'schedule' | 'scheduledAt';

/** Explicitly given fields of a new job. */
export type JobTemplate = Readonly<Partial<Omit<NewJob, NotOfTemplate>>> & {
  readonly command: NewJob['command'];
};

const REJECTED: Readonly<Partial<Record<keyof NewJob, readonly [what: string, hint: string]>>> = {
  id: ['a fixed ID', "remove 'id'"],
  runAt: ['a fixed start time', "remove 'run_at' and 'delay'"],
  dependsOn: ['dependencies', "remove 'depends_on' and 'after'"],
  stdin: ['a standard input', "remove 'stdin'; let the command read a file"],
};

/** Keeps the explicitly given fields, and the working directory, which depends on where the command was called. */
export function templateFrom(job: NewJob, said: Iterable<string>): JobTemplate {
  const fields = new Set([...said, 'command', 'cwd']) as Set<keyof NewJob>;
  for (const field of fields) reject(field);
  if (job.ifExists === 'error')
    throw invalid(
      "'if_exists' cannot be 'error' in a schedule: the error would go unnoticed",
      'use skip to drop the new job, or replace to replace the old one',
    );
  const entries = [...fields].filter((field) => job[field] !== undefined).map((field) => [field, job[field]]);
  return Object.fromEntries(entries) as JobTemplate;
}

function reject(field: keyof NewJob): void {
  const [what, hint] = REJECTED[field] ?? [];
  if (what === undefined) return;
  throw invalid(`the job of a schedule cannot have ${what}: every scheduled run creates a new job`, hint);
}

/** Fields that each run adds. */
export interface TickJob {
  readonly id: string;
  readonly schedule: string;
  readonly scheduledAt: number;
  /** Jobs that must finish first. */
  readonly after: readonly string[];
}

export type JobDefaults = InputContext['defaults'];

/** Fields added in later versions get their defaults, because older templates lack them. */
export function jobFrom(template: JobTemplate, defaults: JobDefaults, { after, ...own }: TickJob): NewJob {
  const dependsOn = after.map((on) => ({ kind: 'job', on, rule: 'end' }) as const);
  return { ...plainJob(template.command, defaults), ...template, ...own, dependsOn };
}

const plainJob = (command: NewJob['command'], defaults: JobDefaults): NewJob =>
  parseJob({ command }, {}, { now: 0, zone: 'utc', newId: () => '', cwd: null, defaults });
