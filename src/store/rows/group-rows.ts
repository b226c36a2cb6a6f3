// The groups of new jobs, each once. Later jobs override earlier ones.

import { type Hooks, hooksText } from '../../job/flow/hooks.ts';
import type { NewJob } from '../../job/job.ts';

export interface NewGroup {
  readonly name: string;
  /** Null leaves it unchanged. */
  readonly concurrency: number | null;
  /** Stored form; null leaves them unchanged. */
  readonly hooks: string | null;
}

export function groupsIn(jobs: readonly NewJob[]): NewGroup[] {
  const groups = new Map<string, NewJob>();
  for (const job of jobs) rememberGroup(groups, job);
  return [...groups].map(([name, { groupConcurrency, groupHooks }]) => ({
    name,
    concurrency: groupConcurrency,
    hooks: hooksText(groupHooks),
  }));
}

/** Keeps one job for each group, with the group settings of all its jobs. */
export function rememberGroup(groups: Map<string, NewJob>, job: NewJob): void {
  if (job.group === null) return;
  const known = groups.get(job.group);
  const groupConcurrency = job.groupConcurrency ?? known?.groupConcurrency ?? null;
  if (!known || groupConcurrency !== known.groupConcurrency || hasHooks(job.groupHooks))
    groups.set(job.group, {
      ...job,
      groupConcurrency,
      groupHooks: { ...known?.groupHooks, ...job.groupHooks },
    });
}

function hasHooks(hooks: Hooks): boolean {
  for (const _ in hooks) return true;
  return false;
}
