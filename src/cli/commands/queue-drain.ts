import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../../errors/errors.ts';
import { NON_FINAL_STATES } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { interruptOf } from '../interrupt.ts';
import { queueName, remarkIfMistyped } from '../queue-name.ts';
import { NoWorkerNotice } from '../enqueue/no-worker-notice.ts';
import { many } from '../render/kit/human.ts';

const LOOK_AGAIN_MS = 200;

const OPTIONS = {
  timeout: { kind: 'seconds', value: 'DURATION', help: 'stop waiting after this time, with exit code 124' },
  'no-wait': { kind: 'flag', help: 'return immediately' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'queue drain',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'stop accepting jobs into a queue and wait until it is empty',
  usage: ['NAME [--timeout DURATION] [--no-wait]'],
  options: OPTIONS,
  examples: [
    ['queuectl queue drain mail', 'wait until all jobs in the queue are finished'],
    ['queuectl queue resume mail', 'accept new jobs again'],
  ],
  notes: ['While a queue drains, schedules skip the runs that would add jobs to it.'],
  completes: 'queue',
  run: async (context) => {
    const name = queueName(context, 'queue drain');
    const queue = await context.queue();
    await remarkIfMistyped(context, queue, name);
    await queue.queues.drain(name);
    const left = context.options.has('no-wait')
      ? await unfinished(queue, name)
      : await untilEmpty(context, queue, name);
    return {
      data: { queue: name, draining: true, unfinished: left },
      text:
        left === 0
          ? `queue ${name} drained; accept new jobs again with: queuectl queue resume ${name}`
          : `queue ${name} draining; ${many(left, 'job')} left`,
    };
  },
};

async function untilEmpty(context: Context<typeof OPTIONS>, queue: AnyQueue, name: string): Promise<number> {
  const seconds = context.options.number('timeout');
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  const interrupt = interruptOf(context);
  const notice = new NoWorkerNotice(queue, context.terminal);
  for (;;) {
    const left = await unfinished(queue, name);
    if (left > 0) await notice.lookAt([name]);
    context.terminal.progress(left === 0 ? '' : `${many(left, 'job')} left in queue ${name}`);
    if (left === 0 || interrupt.aborted) return left;
    if (performance.now() >= until)
      throw new QueueError('wait_timeout', {
        seconds: seconds ?? 0,
        ids: `${many(left, 'job')} in queue ${name}`,
        hint: `list the jobs: queuectl list --queue ${name}`,
      });
    await sleep(LOOK_AGAIN_MS, undefined, { signal: interrupt }).catch(() => {});
  }
}

async function unfinished(queue: AnyQueue, name: string): Promise<number> {
  const { queues } = await queue.overview();
  const counts = queues.find((one) => one.queue === name)?.counts;
  return counts ? NON_FINAL_STATES.reduce((sum, state) => sum + counts[state], 0) : 0;
}
