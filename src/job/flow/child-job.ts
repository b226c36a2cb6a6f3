// Rules for jobs that a job enqueues through its worker's socket. An isolated job (sandboxed, or run as another user)
// can only create jobs with the same isolation or less access. Pure.

import { QueueError } from '../../errors/errors.ts';
import type { Confinement, SecretUse } from '../isolation/isolation.ts';
import type { Job, NewJob } from '../job.ts';
import { JOB_SERVER, JOB_TOKEN } from '../isolation/job-token.ts';
import { strictest } from '../isolation/resource-limits.ts';
import { NO_SANDBOX } from '../isolation/sandbox-profile.ts';

/** The attempt that enqueues a job. */
export interface Creator {
  readonly id: string;
  readonly attempt: number;
  readonly queue: string;
  readonly group: string | null;
  readonly cwd: string | null;
  /** Isolation in effect, from the job, its queue or the global settings. */
  readonly confinement: Confinement | null;
  /** An isolated job sees and creates only its own jobs. */
  readonly isIsolated: boolean;
}

/** Returns the creator's name as shown in the audit log. */
export const creatorName = ({ id, attempt }: Pick<Creator, 'id' | 'attempt'>): string =>
  `job ${id}, attempt ${attempt}`;

/** The creator's scheduling fields. An isolated job cannot let its children overtake or block other jobs. */
export type Standing = Pick<Job, 'priority' | 'key' | 'keyConcurrency'>;

/**
 * Returns the job to store, or throws not_for_jobs. The caller checks access to the dependencies. `standing` is
 * required if the creator is isolated.
 */
export function childOf(creator: Creator, job: NewJob, standing: Standing | null): NewJob {
  const rejected = problemOf(creator, job);
  if (rejected !== null) throw notForJobs(creator, rejected);
  if (!creator.isIsolated) return job;
  if (standing === null) throw notForJobs(creator, 'the creating job no longer exists');
  return { ...job, ...placeOf(creator, job), ...standingOf(creator, job, standing) };
}

/** Rejects foreign keys: sharing one would block other jobs or change their limit. */
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
  return creator.isIsolated ? isolationProblem(creator, job) : null;
}

const hasSecret = ({ confinement }: Creator, name: string): boolean =>
  (confinement?.secrets ?? []).some((own: SecretUse) => own.name === name);

function isolationProblem({ queue, group, confinement }: Creator, job: NewJob): string | null {
  if (job.queue !== queue) return `it may only enqueue into its own queue '${queue}'`;
  if (job.group !== null && job.group !== group) return 'it may only enqueue into its own group or into none';
  if (job.uniqueKey !== null) return 'a unique job could replace another job';
  if (Object.keys({ ...job.hooks, ...job.groupHooks }).length > 0) return 'hooks would run outside its isolation';
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

/** Returns the child's working directory and isolation. */
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

/**
 * A sandbox may make the working directory writable, so a child cannot choose another one, nor one that its creator
 * could replace with a symbolic link.
 */
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

/** Working directories in a sandbox for a job that sets none. */
const IN_NO_FOLDER = ['/', '/tmp'];
