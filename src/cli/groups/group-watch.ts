// Waits until all jobs of a group are finished, including jobs that are added meanwhile, and reports progress.

import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError, usageError } from '../../errors/errors.ts';
import { CLAIMABLE_STATES, countClaimable } from '../../job/state-sets.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { endedIn, hasEnded, sizeOf } from '../../report/group.ts';
import { Pace } from '../../report/metrics/pace.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Context } from '../command.ts';
import { NoWorkerNotice } from '../enqueue/no-worker-notice.ts';
import { count } from '../render/kit/human.ts';

const LOOK_AGAIN_MS = 100;
const LOOK_FOR_WORKERS_MS = 1000;
/** The number of waiting jobs whose queues are checked for workers. */
const ASKED = 20;

export interface GroupWatch {
  readonly name: string;
  readonly timeoutSeconds?: number | undefined;
  readonly draw: (group: GroupRecord, pace: Pace) => void;
  /** This process runs the jobs: no need to look for workers. */
  readonly isServed?: boolean | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns the finished group, or its current state if the wait was aborted. */
export async function untilGroupEnds(context: Context, queue: AnyQueue, watch: GroupWatch): Promise<GroupRecord> {
  const { name, timeoutSeconds = Number.POSITIVE_INFINITY, signal, draw } = watch;
  rejectToWaitForItself(context, name);
  const deadline = performance.now() + timeoutSeconds * 1000;
  const pace = new Pace();
  const notice = new NoWorkerNotice(queue, context.terminal);
  const lookAtWorkers = lookForWorkers(queue, notice);
  for (;;) {
    const group = await queue.groups.get(name);
    pace.see(endedIn(group.counts), performance.now());
    draw(group, pace);
    if (hasEnded(group) || signal?.aborted) return group;
    if (!watch.isServed) await lookAtWorkers(group);
    if (performance.now() >= deadline) throw ranOut(group, timeoutSeconds, notice.current);
    const pauseMs = Math.min(LOOK_AGAIN_MS, Math.max(0, deadline - performance.now()));
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** A job that waited for its own group would never finish. */
function rejectToWaitForItself({ environment }: Context, name: string): void {
  if (environment.QUEUECTL_GROUP !== name) return;
  throw usageError(
    `job ${environment.QUEUECTL_JOB_ID} belongs to group ${name} and cannot wait for its own group`,
    `wait in a job that depends on the group: queuectl enqueue --after group:${name} 'COMMAND'`,
  );
}

function ranOut({ name, counts }: GroupRecord, seconds: number, reason: string | null): QueueError {
  const left = sizeOf(counts) - endedIn(counts);
  const ids = `${count(left)} of ${count(sizeOf(counts))} jobs of group ${name}`;
  return new QueueError('wait_timeout', {
    seconds,
    ids,
    hint: reason ?? `show the group: queuectl group show ${name}`,
  });
}

/** Checks whether workers serve the queues of the waiting jobs. */
function lookForWorkers(queue: AnyQueue, notice: NoWorkerNotice): (group: GroupRecord) => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async ({ name, counts }) => {
    if (countClaimable(counts) === 0 || performance.now() - lookedAt < LOOK_FOR_WORKERS_MS) return;
    lookedAt = performance.now();
    const states = CLAIMABLE_STATES;
    const query = { group: name, states, sort: 'created', descending: false, limit: ASKED } as const;
    await notice.look(await queue.list(query));
  };
}
