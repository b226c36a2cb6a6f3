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

const REFUSED: Readonly<Partial<Record<keyof NewJob, readonly [what: string, hint: string]>>> = {
  id: ['an id of its own', "leave 'id' out"],
  runAt: ['a time of its own', "leave 'run_at' and 'delay' out"],
  dependsOn: ['jobs to wait for', "leave 'depends_on' and 'after' out"],
  stdin: ['a standard input of its own', "leave 'stdin' out: the command can read a file"],
};

/** Keeps the explicitly given fields, and the working directory, which depends on where the command was called. */
export function templateFrom(job: NewJob, said: Iterable<string>): JobTemplate {
  const fields = new Set([...said, 'command', 'cwd']) as Set<keyof NewJob>;
  for (const field of fields) refuse(field);
  if (job.ifExists === 'error')
    throw invalid(
      "nobody would see the error of 'if_exists'",
      'skip leaves the new job out, replace the old one',
    );
  const entries = [...fields].filter((field) => job[field] !== undefined).map((field) => [field, job[field]]);
  return Object.fromEntries(entries) as JobTemplate;
}

function refuse(field: keyof NewJob): void {
  const [what, hint] = REFUSED[field] ?? [];
  if (what === undefined) return;
  throw invalid(`the job of a schedule cannot have ${what}: each tick makes another job`, hint);
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
