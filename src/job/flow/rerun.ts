// Running a part of a flow again: which jobs start at once, and which wait for those again. Whatever waits for a job that
// runs again waits for it again, as if that one had never ended.

import { decideBlocked, type Edge } from './dependencies.ts';
import { isFinal, type Job, type JobState } from '../job.ts';
import { allows } from '../lifecycle.ts';

export const RERUN_MODES = ['failed-only', 'failed-and-downstream', 'all'] as const;
/** What failed; that and whatever waits for it; or everything, with whatever waits for it. */
export type RerunMode = (typeof RERUN_MODES)[number];

type RerunJob = Pick<Job, 'id' | 'state' | 'group' | 'held' | 'onDependencyFailure'>;

/** A job and what it waits for. */
export interface RerunNode {
  readonly job: RerunJob;
  readonly edges: readonly Edge[];
}

export interface Rerun {
  /** Start at once. */
  readonly retry: readonly string[];
  /** Wait for those again. */
  readonly block: readonly string[];
  /** Of these, the ones that are no longer held back, as what held them back was how a parent ended. */
  readonly release: readonly string[];
}

const FAILED: readonly JobState[] = ['failed', 'dead'];
export const hasFailed = ({ state }: RerunJob): boolean => FAILED.includes(state);

/** `chosen`: the ids of the jobs that run again. What has not run yet, and waits for none of them, is left as it is. */
export function planRerun(nodes: readonly RerunNode[], chosen: ReadonlySet<string>): Rerun {
  const running = nodes.filter(({ job }) => chosen.has(job.id));
  const groups = new Set(running.flatMap(({ job }) => job.group ?? []));
  const waitsAnew = ({ edges }: RerunNode): boolean =>
    edges.some(({ kind, on }) => (kind === 'job' ? chosen.has(on) : groups.has(on)));
  const blocked = running.filter(waitsAnew);
  const started = running.filter((node) => !waitsAnew(node) && !isYetToRun(node.job));
  return {
    retry: started.map(idOf),
    block: blocked.map(idOf),
    release: blocked.filter(isHeldByParents).map(idOf),
  };
}

const idOf = ({ job }: RerunNode): string => job.id;

/** It will run anyway. One that runs now is in the way, and the store says so. */
const isYetToRun = ({ state }: RerunJob): boolean =>
  !isFinal(state) && !allows('retry', state) && state !== 'processing';

function isHeldByParents({ job, edges }: RerunNode): boolean {
  const verdict = decideBlocked(edges, job.onDependencyFailure);
  return job.held !== null && verdict?.event === 'unblock' && verdict.held === job.held;
}
