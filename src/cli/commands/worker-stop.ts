// queuectl worker stop: no new jobs, running jobs finish, and we wait until the workers are gone.

import { QueueError } from '../../errors.ts';
import type { Queue, WorkerView } from '../../queue.ts';
import { rescueNow } from '../../worker/crew.ts';
import { type StopProgress, stopWorkers } from '../../worker/stop.ts';
import type { Command, Context, Result } from '../command.ts';
import { duration, many } from '../render/human.ts';

export const command: Command = {
  name: 'worker stop',
  purpose: 'run',
  summary: 'stop workers; running jobs finish first',
  usage: ['[ID...] [--force] [--timeout DURATION] [--no-wait]'],
  options: {
    force: { kind: 'flag', means: 'end running jobs and put them back in the queue' },
    timeout: {
      kind: 'seconds',
      value: 'DURATION',
      means: 'wait no longer than this; exit 1 if some are left',
    },
    'no-wait': { kind: 'flag', means: 'return at once; they stop when their jobs have finished' },
  },
  examples: [
    ['queuectl worker stop', 'all workers, cleanly'],
    ['queuectl worker stop w7d1', 'one of them'],
    ['queuectl worker stop --force', 'now: their jobs run again later'],
  ],
  completes: 'worker',
  run,
};

async function run(context: Context): Promise<Result> {
  const queue = await context.queue();
  const chosen = choose(await queue.workers(), [...context.args, ...(context.exact ?? [])]);
  await rescueNow(queue);
  const alive = chosen.filter(({ state }) => state !== 'lost');
  if (alive.length === 0) return { data: [], text: 'no worker is running' };
  const mode = context.options.has('force') ? 'force' : 'graceful';
  if (context.options.has('no-wait')) {
    await queue.store.requestStop(
      alive.map(({ id }) => id),
      mode,
    );
    return answer(alive, 'stopping');
  }
  return waitForAll(context, queue, alive, mode);
}

function choose(workers: readonly WorkerView[], given: readonly string[]): readonly WorkerView[] {
  if (given.length === 0) return workers;
  return given.map((prefix) => {
    const exact = workers.find(({ id }) => id === prefix);
    const found = exact ? [exact] : workers.filter(({ id }) => id.startsWith(prefix));
    if (found.length > 1) {
      throw new QueueError('ambiguous_id', {
        prefix,
        noun: 'worker',
        matches: found.map(({ id }) => id).join(', '),
      });
    }
    if (found[0] === undefined) throw new QueueError('worker_not_found', { id: prefix });
    return found[0];
  });
}

async function waitForAll(
  context: Context,
  queue: Queue,
  alive: readonly WorkerView[],
  mode: 'force' | 'graceful',
): Promise<Result> {
  const { terminal, options } = context;
  const timeoutMs = (options.number('timeout') ?? Number.POSITIVE_INFINITY) * 1000;
  let interrupted = false;
  context.onInterrupt(() => {
    interrupted = true;
  });
  const goOn = (progress: StopProgress): boolean => {
    if (progress.elapsedMs > 500) terminal.progress(waitingFor(progress));
    return !interrupted && progress.elapsedMs < timeoutMs;
  };
  const left = await stopWorkers(
    queue,
    alive.map(({ id }) => id),
    mode,
    goOn,
  );
  terminal.progress('');
  if (interrupted && left.length > 0) {
    terminal.say(`${many(left.length, 'worker')} will stop by themselves when their jobs have finished`);
    return { exitCode: 130 };
  }
  if (left.length === 0) return answer(alive, 'stopped');
  throw new QueueError('workers_still_running', {
    count: many(left.length, 'worker'),
    seconds: timeoutMs / 1000,
  });
}

function waitingFor({ left, elapsedMs }: StopProgress): string {
  const jobs = left.reduce((sum, { running }) => sum + running.length, 0);
  return `${duration(elapsedMs)}: ${many(left.length, 'worker')} left, ${many(jobs, 'job')} running`;
}

const answer = (workers: readonly WorkerView[], word: 'stopped' | 'stopping'): Result => ({
  data: workers.map(({ id, pid, host }) => ({ id, pid, host, state: word })),
  text: workers.map(({ id }) => `${id}  ${word}`).join('\n'),
});
