// Plans the rerun of a part of a workflow: which jobs start at once, and which are blocked again. Dependents of a job
// that runs again wait for it again.

import { decideBlocked, type Edge } from './dependencies.ts';
import { isFinal, type Job, type JobState } from '../job.ts';
import { allows } from '../lifecycle.ts';

export const RERUN_MODES = ['failed-only', 'failed-and-downstream', 'all'] as const;
/** Failed jobs only; failed jobs and their dependents; or all jobs and their dependents. */
export type RerunMode = (typeof RERUN_MODES)[number];

type RerunJob = Pick<Job, 'id' | 'state' | 'group' | 'held' | 'onDependencyFailure'>;

export interface RerunNode {
  readonly job: RerunJob;
  readonly edges: readonly Edge[];
}

export interface Rerun {
  /** Jobs to start at once. */
  readonly retry: readonly string[];
  /** Jobs to block again until their dependencies have finished. */
  readonly block: readonly string[];
  /** Held jobs among these to release, because a dependency's outcome had caused the hold. */
  readonly release: readonly string[];
}

const FAILED: readonly JobState[] = ['failed', 'dead'];
export const hasFailed = ({ state }: RerunJob): boolean => FAILED.includes(state);

/**
 * `chosen` holds the IDs of the jobs to rerun. Jobs that have not run yet and depend on none of them stay unchanged.
 */
export function planRerun(nodes: readonly RerunNode[], chosen: ReadonlySet<string>): Rerun {
  const running = nodes.filter(({ job }) => chosen.has(job.id));
  const groups = new Set(running.flatMap(({ job }) => job.group ?? []));
  const isBlockedAgain = ({ edges }: RerunNode): boolean =>
    edges.some(({ kind, on }) => (kind === 'job' ? chosen.has(on) : groups.has(on)));
  const blocked = running.filter(isBlockedAgain);
  const started = running.filter((node) => !isBlockedAgain(node) && !isYetToRun(node.job));
  return {
    retry: started.map(idOf),
    block: blocked.map(idOf),
    release: blocked.filter(isHeldByParents).map(idOf),
  };
}

const idOf = ({ job }: RerunNode): string => job.id;

/** Jobs that will run anyway. The store rejects the rerun if one is running. */
const isYetToRun = ({ state }: RerunJob): boolean =>
  !isFinal(state) && !allows('retry', state) && state !== 'processing';

function isHeldByParents({ job, edges }: RerunNode): boolean {
  const verdict = decideBlocked(edges, job.onDependencyFailure);
  return job.held !== null && verdict?.event === 'unblock' && verdict.held === job.held;
}
