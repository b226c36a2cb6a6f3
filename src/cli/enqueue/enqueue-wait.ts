// enqueue --wait and --work: waits for the enqueued jobs; with --work, also runs them. Jobs from a file are waited for
// as a group, others by their IDs.

import { usageError } from '../../errors/errors.ts';
import { newJobId } from '../../job/id.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobInput, WorkerView } from '../../queue/queue.ts';
import { randomBytes } from '../../system/random.ts';
import { endedIn, hasEnded, sizeOf } from '../../report/group.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Result } from '../command.ts';
import { INTERRUPTED } from '../interrupt.ts';
import { manyArrivedText } from './enqueued.ts';
import { count, many } from '../render/kit/human.ts';
import { type EnqueueContext, isAwaited } from '../options/enqueue-options.ts';
import { workLimit } from './work-defaults.ts';

/** Collects the groups and queues of the enqueued jobs, so that they can be waited for together. */
export class AwaitedJobs {
  /** The group for jobs without one; null without --wait or --work. */
  readonly group: string | null;
  private readonly groups = new Set<string | null>();
  private readonly queues = new Set<string>();
  private readonly limit: JobInput;

  constructor(context: EnqueueContext, queue: AnyQueue) {
    this.group = isAwaited(context, queue) ? newJobId(randomBytes) : null;
    this.limit = workLimit(context);
  }

  /** Adds the group to a job that has none. */
  withGroup(raw: unknown): unknown {
    if (this.group === null || typeof raw !== 'object' || raw === null) return raw;
    return 'group' in raw ? raw : { group: this.group, ...this.limit, ...raw };
  }

  note({ group, queue }: NewJob): void {
    this.groups.add(group);
    this.queues.add(queue);
  }

  /** Called before anything is stored. */
  check(): void {
    if (this.group === null || (this.groups.size === 1 && !this.groups.has(null))) return;
    const named = [...this.groups].map((name) => name ?? 'none').join(', ');
    throw usageError(
      `--wait requires one group, but the jobs name several: ${named}; nothing was enqueued`,
      'put all jobs into one group: --group NAME',
    );
  }

  async wait(context: EnqueueContext, queue: AnyQueue, enqueued: number, existing: number): Promise<Result> {
    const [name = ''] = this.groups;
    context.terminal.remark(manyArrivedText(enqueued, existing, ` in group ${name}`));
    if ((await queue.groups.get(name ?? '')).concurrency === null)
      await sayWhoElseRuns(context, queue, [...this.queues]);
    const { groupResult, waitForGroup } = await import('../groups/group-end.ts');
    return working(context, queue, [...this.queues], async (signal, isServed) => {
      const group = await waitForGroup(context, queue, { name: name ?? '', signal, isServed });
      if (hasEnded(group)) return groupResult(context, queue, group);
      return leftBehind(group, await nextFor(queue, [...this.queues]));
    });
  }
}

const leftBehind = ({ name, counts }: GroupRecord, next: string): Result => ({
  text: `stopped waiting: ${count(endedIn(counts))} of ${count(sizeOf(counts))} finished; ${next}; cancel the group with: queuectl group cancel ${name}`,
  exitCode: INTERRUPTED,
});

async function nextFor(queue: AnyQueue, queues: readonly string[]): Promise<string> {
  const others = await workersFor(queue, queues);
  if (others.length === 0) return 'run the rest with: queuectl worker start';
  return `${others.length === 1 ? '1 worker continues' : `${count(others.length)} workers continue`} with the rest`;
}

async function workersFor(queue: AnyQueue, queues: readonly string[]): Promise<readonly WorkerView[]> {
  const serving = await Promise.all(queues.map((name) => queue.workersServing(name)));
  return [...new Map(serving.flat().map((worker) => [worker.id, worker])).values()];
}

/** Returns the exit code of the first job that did not complete. */
export async function waitForEnqueued(context: EnqueueContext, queue: AnyQueue, jobs: readonly Job[]): Promise<Result> {
  const { waitForJobs } = await import('../jobs/wait-jobs.ts');
  const queues = [...new Set(jobs.map((job) => job.queue))];
  if (jobs.length > 1) await sayWhoElseRuns(context, queue, queues);
  return working(context, queue, queues, async (signal, isServed) => {
    const result = await waitForJobs(context, queue, jobs, { signal, isServed });
    const left = jobs.length - (result.data as readonly unknown[]).length;
    if (signal.aborted && left > 0)
      context.terminal.notice(
        `stopped waiting: ${count(jobs.length - left)} of ${count(jobs.length)} finished; ${await nextFor(queue, queues)}`,
      );
    const text = context.options.has('print-id') ? { text: jobs.map(({ id }) => id).join('\n') } : {};
    return { ...result, ...text, ...(signal.aborted && { exitCode: INTERRUPTED }) };
  });
}

/** Without a limit, existing workers run these jobs, too. */
async function sayWhoElseRuns(context: EnqueueContext, queue: AnyQueue, queues: readonly string[]): Promise<void> {
  const own = context.options.number('work');
  const others = own === undefined ? [] : await workersFor(queue, queues);
  if (own === undefined || others.length === 0) return;
  const most = others.reduce((sum, { concurrency }) => sum + concurrency, own);
  const who = `${many(others.length, 'worker')} may also run these jobs`;
  context.terminal.notice(
    `${who}, up to ${count(most)} at once; limit them with: --group NAME --group-concurrency ${own}`,
  );
}

type Wait = (signal: AbortSignal, isServed: boolean) => Promise<Result>;

/** With --work, this process serves these queues while it waits. */
async function working(
  context: EnqueueContext,
  queue: AnyQueue,
  queues: readonly string[],
  wait: Wait,
): Promise<Result> {
  const concurrency = context.options.number('work');
  const left = new AbortController();
  const { local } = queue;
  if (concurrency === undefined || local === null) return wait(left.signal, false);
  const [{ makeWorkerId, startWorker }, { keepParts }, { guardProgram }, { jobServerFor }] = await Promise.all([
    import('../../worker/start-worker.ts'),
    import('../keep-parts.ts'),
    import('../program-path.ts'),
    import('../../server/job-server/open-job-server.ts'),
  ]);
  keepParts();
  const worker = startWorker(local, {
    id: makeWorkerId(),
    queues,
    concurrency,
    drain: false,
    ownsProcess: true,
    log: () => {},
    guard: guardProgram(),
    jobServer: jobServerFor(local),
  });
  context.onInterrupt((times) => {
    if (times > 2) void worker.leaveNow();
    else worker.stop(times > 1 ? 'force' : 'graceful');
    if (times === 1 && worker.runningCount > 0)
      context.terminal.notice('waiting for running jobs to finish; press Ctrl-C again to stop and requeue them');
  });
  const worked = worker.run().finally(() => left.abort());
  worked.catch(() => {}); // reported below, after the wait
  const result = await wait(left.signal, true).finally(() => worker.stop('graceful'));
  await worked;
  return result;
}
