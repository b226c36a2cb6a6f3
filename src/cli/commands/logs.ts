// queuectl logs: what a job wrote, over all its attempts, or as it comes.

import { QueueError } from '../../errors.ts';
import { follow, lastLines } from '../../follow.ts';
import type { Attempt, Job } from '../../job/job.ts';
import type { Queue } from '../../queue.ts';
import type { Command, Context, Result } from '../command.ts';
import { NoWorkerNotice } from '../no-worker-notice.ts';
import { usage } from '../options.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'logs',
  purpose: 'look',
  summary: 'show what a job wrote, live with -f',
  usage: ['ID [-f] [--attempt N] [--tail N]'],
  options: {
    follow: {
      kind: 'flag',
      short: 'f',
      means: 'go on as output comes, over retries, until the job is final',
    },
    attempt: { kind: 'integer', value: 'N', means: 'only this attempt' },
    tail: { kind: 'integer', short: 'n', value: 'N', means: 'only the last N lines' },
  },
  examples: [
    ['queuectl logs k3f9', 'all attempts, each between its START and END line'],
    ['queuectl logs -f k3f9', 'live'],
    ['queuectl logs k3f9 --attempt 2 --tail 20', 'the last words of the second attempt'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = theseArguments(context, ['id'], 'logs');
  const tail = context.options.number('tail') ?? 0;
  if (tail < 0) throw usage(`--tail cannot be negative, like ${tail}`, command);
  const queue = await context.queue();
  const job = await queue.find(given);
  const attempts = chosen(job, await queue.history(job.id), context.options.number('attempt'));
  if (context.terminal.json) return { data: await documents(queue, job, attempts, context) };
  await show(queue, job, attempts, context);
  if (context.options.has('follow') && context.options.number('attempt') === undefined)
    return followOn(context, job, attempts);
  if (attempts.length === 0)
    context.terminal.hint(`${job.id} has not started yet: queuectl show ${job.id} tells why`);
  return {};
}

function chosen(job: Job, attempts: readonly Attempt[], number: number | undefined): readonly Attempt[] {
  if (number === undefined) return attempts;
  const found = attempts.findLast(({ attempt }) => attempt === number); // one that was lost has its successor's number
  if (!found) throw new QueueError('attempt_not_found', { id: job.id, number });
  return [found];
}

/** What is there now; of an attempt that still runs, only when we do not follow it. */
async function show(queue: Queue, job: Job, attempts: readonly Attempt[], context: Context): Promise<void> {
  const logs = endedWhenFollowing(attempts, context).map((attempt) => queue.outputOf(job, attempt));
  const tail = context.options.number('tail');
  if (tail !== undefined) {
    context.terminal.out(await lastLines(logs, tail));
    return;
  }
  for (const log of logs) for await (const chunk of log.chunks()) context.terminal.out(chunk);
}

const endedWhenFollowing = (attempts: readonly Attempt[], { options }: Context): readonly Attempt[] =>
  options.has('follow') && options.number('attempt') === undefined
    ? attempts.filter(({ endedAt }) => endedAt !== null)
    : attempts;

async function followOn(context: Context, job: Job, attempts: readonly Attempt[]): Promise<Result> {
  const afterAttempt = endedWhenFollowing(attempts, context).at(-1)?.number ?? 0;
  const queue = await context.queue();
  const notice = new NoWorkerNotice(queue, context.terminal);
  const idle = (seen: Job): Promise<void> => notice.look([seen]);
  await follow(queue, job.id, (chunk) => context.terminal.out(chunk), { afterAttempt, idle });
  return {};
}

async function documents(
  queue: Queue,
  job: Job,
  attempts: readonly Attempt[],
  { options }: Context,
): Promise<unknown> {
  const lines = options.number('tail') ?? Number.POSITIVE_INFINITY;
  const outputs = attempts.map(async (attempt) => ({
    number: attempt.attempt,
    log_path: attempt.logPath,
    output: (await lastLines([queue.outputOf(job, attempt)], lines)).toString(),
  }));
  return { id: job.id, attempts: await Promise.all(outputs) };
}
