// What a job may enqueue through the socket of its worker. One that is kept apart, in a sandbox or as another user, makes
// jobs that are kept apart as it is: whatever could run with more than it has itself is refused. Pure.

import { QueueError } from '../../errors/errors.ts';
import type { Confinement, SecretUse } from '../isolation/isolation.ts';
import type { Job, NewJob } from '../job.ts';
import { JOB_SERVER, JOB_TOKEN } from '../isolation/job-token.ts';
import { strictest } from '../isolation/resource-limits.ts';
import { NO_SANDBOX } from '../isolation/sandbox-profile.ts';

/** The attempt that enqueues. */
export interface Creator {
  /** Of the job. */
  readonly id: string;
  readonly attempt: number;
  readonly queue: string;
  readonly group: string | null;
  readonly cwd: string | null;
  /** What holds for it: its own, its queue's, or everybody's. */
  readonly confinement: Confinement | null;
  /** It sees and makes no more than what is its own. */
  readonly isApart: boolean;
}

/** As activity names it. */
export const creatorName = ({ id, attempt }: Pick<Creator, 'id' | 'attempt'>): string =>
  `job ${id}, attempt ${attempt}`;

/** How the creating job stands among others: a confined job cannot put its children before them, nor in their way. */
export type Standing = Pick<Job, 'priority' | 'key' | 'keyConcurrency'>;

/**
 * The job as it may be stored; else not_for_jobs. Whether it may know what the new one waits for is another question. `standing`
 * is needed of a creator that is kept apart.
 */
export function childOf(creator: Creator, job: NewJob, standing: Standing | null): NewJob {
  const refused = problemOf(creator, job);
  if (refused !== null) throw notForJobs(creator, refused);
  if (!creator.isApart) return job;
  if (standing === null) throw notForJobs(creator, 'the creating job no longer exists');
  return { ...job, ...placeOf(creator, job), ...standingOf(creator, job, standing) };
}

/** A key that other jobs share would make them wait for this one, or go by its limit. */
function standingOf(creator: Creator, job: NewJob, own: Standing): Standing {
  if (job.key !== null && job.key !== own.key)
    throw notForJobs(
      creator,
      'it may only use its own concurrency key or none, because other jobs with that key would wait for the new job',
    );
  return {
    priority: Math.min(job.priority, own.priority),
    key: job.key,
    keyConcurrency: job.key === null ? null : own.keyConcurrency,
  };
}

export const notForJobs = (creator: Pick<Creator, 'id' | 'attempt'>, problem: string): QueueError =>
  new QueueError('not_for_jobs', { name: creatorName(creator), problem });

function problemOf(creator: Creator, job: NewJob): string | null {
  const secret = (job.confinement?.secrets ?? []).find(({ name }) => !hasSecret(creator, name));
  if (secret !== undefined) return `it has no access to the secret '${secret.name}'`;
  if ([JOB_SERVER, JOB_TOKEN].some((name) => job.env[name] !== undefined))
    return `${JOB_SERVER} and ${JOB_TOKEN} are reserved for the running job`;
  return creator.isApart ? problemApart(creator, job) : null;
}

const hasSecret = ({ confinement }: Creator, name: string): boolean =>
  (confinement?.secrets ?? []).some((own: SecretUse) => own.name === name);

function problemApart({ queue, group, confinement }: Creator, job: NewJob): string | null {
  if (job.queue !== queue) return `it may only enqueue into its own queue '${queue}'`;
  if (job.group !== null && job.group !== group) return 'it may only enqueue into its own group or into none';
  if (job.uniqueKey !== null) return 'a unique job could replace another job';
  if (Object.keys({ ...job.hooks, ...job.groupHooks }).length > 0)
    return 'hooks would run outside its isolation';
  if (job.groupConcurrency != null) return 'it may not set the concurrency limit of a group';
  return (
    otherThan('the sandbox', confinement?.sandbox ?? NO_SANDBOX, job.confinement?.sandbox) ??
    otherThan('the user', confinement?.user, job.confinement?.user)
  );
}

function otherThan(what: string, own: string | undefined, said: string | undefined): string | null {
  return said === undefined || said === own
    ? null
    : `a new job inherits ${what} of its creator and cannot use '${said}'`;
}

/** Where it runs, and with what around it. */
function placeOf(creator: Creator, job: NewJob): Pick<NewJob, 'cwd' | 'confinement'> {
  const { sandbox, user, limits: own } = creator.confinement ?? {};
  const limits = strictest(own, job.confinement?.limits);
  return {
    cwd: folderOf(creator, job.cwd),
    confinement: {
      ...job.confinement,
      ...(sandbox !== undefined && { sandbox }),
      ...(user !== undefined && { user }),
      ...(limits !== undefined && { limits }),
    },
  };
}

/** A sandbox may let a job write to its folder: so it cannot choose another one, nor one that it could put a link in place of. */
function folderOf(creator: Creator, said: string | null): string | null {
  const { cwd, confinement } = creator;
  const isSandboxed = (confinement?.sandbox ?? NO_SANDBOX) !== NO_SANDBOX;
  if (!isSandboxed) return said ?? cwd;
  if (said === null || said === cwd || (cwd === null && IN_NO_FOLDER.includes(said))) return cwd;
  throw notForJobs(
    creator,
    `a new job inherits the working directory '${cwd ?? '/tmp'}' of its creator and cannot use '${said}'`,
  );
}

/** Where a job that has no folder begins in a sandbox. */
const IN_NO_FOLDER = ['/', '/tmp'];
