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
  /** Job ID. */
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
  const refused = problemOf(creator, job);
  if (refused !== null) throw notForJobs(creator, refused);
  if (!creator.isIsolated) return job;
  if (standing === null) throw notForJobs(creator, 'its own job is gone');
  return { ...job, ...placeOf(creator, job), ...standingOf(creator, job, standing) };
}

/** Rejects foreign keys: sharing one would block other jobs or change their limit. */
function standingOf(creator: Creator, job: NewJob, own: Standing): Standing {
  if (job.key !== null && job.key !== own.key)
    throw notForJobs(
      creator,
      'it may use its own key or none, because others with that key would wait for the new job',
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
  if (secret !== undefined) return `it was not given the secret '${secret.name}' itself`;
  if ([JOB_SERVER, JOB_TOKEN].some((name) => job.env[name] !== undefined))
    return `${JOB_SERVER} and ${JOB_TOKEN} are its own, and useless to others`;
  return creator.isIsolated ? isolationProblem(creator, job) : null;
}

const hasSecret = ({ confinement }: Creator, name: string): boolean =>
  (confinement?.secrets ?? []).some((own: SecretUse) => own.name === name);

function isolationProblem({ queue, group, confinement }: Creator, job: NewJob): string | null {
  if (job.queue !== queue) return `it may enqueue into its own queue alone, which is '${queue}'`;
  if (job.group !== null && job.group !== group) return 'it may enqueue into its own group or into none';
  if (job.uniqueKey !== null) return 'a unique job could take the place of one that is not its own';
  if (Object.keys({ ...job.hooks, ...job.groupHooks }).length > 0)
    return 'a hook would run without what confines this job';
  if (job.groupConcurrency != null) return 'the limit of a group is for others to set';
  return (
    otherThan('the sandbox', confinement?.sandbox ?? NO_SANDBOX, job.confinement?.sandbox) ??
    otherThan('the user', confinement?.user, job.confinement?.user)
  );
}

function otherThan(what: string, own: string | undefined, said: string | undefined): string | null {
  return said === undefined || said === own
    ? null
    : `${what} of a new job is its own, and this says '${said}'`;
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
  throw notForJobs(creator, `a new job runs in the folder of this one, '${cwd ?? '/tmp'}', not in '${said}'`);
}

/** Working directories in a sandbox for a job that sets none. */
const IN_NO_FOLDER = ['/', '/tmp'];
