import { QueueError } from '../../errors/errors.ts';
import { ownIdentity } from '../../process/tree/identity.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { WorkerView } from '../../queue/queue.ts';
import { rescueNow } from '../../worker/start-worker.ts';
import { hostsOf } from '../../worker/control/choose.ts';
import type { LeftWorker, StopProgress } from '../../worker/control/stop.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { INTERRUPTED, interruptOf } from '../interrupt.ts';
import { duration, many } from '../render/kit/human.ts';
import { CHOICE_OPTIONS, chooseWorkers } from '../workers/worker-choice.ts';

const OPTIONS = {
  ...CHOICE_OPTIONS,
  force: { kind: 'flag', help: 'stop running jobs and requeue them' },
  timeout: {
    kind: 'seconds',
    value: 'DURATION',
    help: 'stop waiting after this time, with exit code 1 if workers are left',
  },
  'no-wait': { kind: 'flag', help: 'return immediately; workers stop when their jobs finish' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'worker stop',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'stop workers; running jobs finish first',
  usage: ['[ID...] [--force] [--timeout DURATION] [--no-wait]', '--host NAME | --all-hosts'],
  options: OPTIONS,
  examples: [
    ['queuectl worker stop', 'stop all workers on this host after their jobs finish'],
    ['queuectl worker stop w7d1', 'stop one worker'],
    ['queuectl worker stop --force', 'stop workers and jobs now; the jobs run again later'],
    ['queuectl worker stop --all-hosts', 'stop the workers on all hosts that share the queue'],
  ],
  completes: 'worker',
  run: async (context) => {
    const queue = await context.queue();
    const { chosen, others } = await chooseWorkers(context, command);
    if (queue.local) await rescueNow(queue.local); // otherwise the server does this
    const alive = chosen.filter(({ state }) => state !== 'lost');
    if (alive.length === 0) return { data: [], text: `no worker is running${elsewhere(queue, others)}` };
    const mode = context.options.has('force') ? 'force' : 'graceful';
    const { data, text, ...rest } = context.options.has('no-wait')
      ? await askThem(queue, alive, mode)
      : await waitForAll(context, queue, alive, mode);
    return { data, text: text ? text + (others.length > 0 ? `\n${stillOn(others)}` : '') : '', ...rest };
  },
};

const stillOn = (others: readonly WorkerView[]): string =>
  `${many(others.length, 'worker')} on other hosts (${hostsOf(others)}); stop them with: queuectl worker stop --all-hosts`;

const elsewhere = (queue: AnyQueue, others: readonly WorkerView[]): string =>
  others.length === 0 ? '' : ` on ${ownIdentity(queue.environment).host}\n${stillOn(others)}`;

async function askThem(queue: AnyQueue, alive: readonly WorkerView[], mode: 'force' | 'graceful'): Promise<Result> {
  await queue.requestStop(
    alive.map(({ id }) => id),
    mode,
  );
  return answer(alive, () => 'stopping');
}

async function waitForAll(
  context: Context<typeof OPTIONS>,
  queue: AnyQueue,
  alive: readonly WorkerView[],
  mode: 'force' | 'graceful',
): Promise<Result> {
  const { terminal, options } = context;
  const timeoutMs = (options.number('timeout') ?? Number.POSITIVE_INFINITY) * 1000;
  const interrupt = interruptOf(context);
  const goOn = (progress: StopProgress): boolean => {
    if (progress.elapsedMs > 500) terminal.progress(waitingFor(progress));
    return !interrupt.aborted && progress.elapsedMs < timeoutMs && !progress.left.every(isGone);
  };
  const left = await queue.stopWorkers(
    alive.map(({ id }) => id),
    mode,
    goOn,
  );
  terminal.progress('');
  if (interrupt.aborted && left.length > 0) {
    terminal.say(`${many(left.length, 'worker')} stopping after ${left.length === 1 ? 'its' : 'their'} jobs finish`);
    return { exitCode: INTERRUPTED };
  }
  if (left.every(isGone)) {
    const lost = new Set(left.map(({ id }) => id));
    return answer(alive, ({ id }) => (lost.has(id) ? 'lost' : 'stopped'));
  }
  throw new QueueError('workers_still_running', {
    count: many(left.length, 'worker'),
    seconds: timeoutMs / 1000,
  });
}

/** The process does not exist, so waiting is pointless. */
const isGone = ({ isSilent }: LeftWorker): boolean => isSilent;

function waitingFor({ left, elapsedMs }: StopProgress): string {
  const jobs = left.reduce((sum, { running }) => sum + running.length, 0);
  return `${duration(elapsedMs)}: ${many(left.length, 'worker')} left, ${many(jobs, 'job')} running`;
}

type Word = 'stopped' | 'stopping' | 'lost';

const answer = (workers: readonly WorkerView[], word: (worker: WorkerView) => Word): Result => ({
  data: workers.map((worker) => {
    const { id, pid, host } = worker;
    return { id, pid, host, state: word(worker) };
  }),
  text: workers.map((worker) => `${worker.id}  ${word(worker)}`).join('\n'),
});
