// queuectl result get: the result of a job.

import { QueueError } from '../../errors/errors.ts';
import { isFinal, type Job } from '../../job/job.ts';
import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'result get',
  purpose: 'look',
  summary: 'print the result of a job, as JSON',
  usage: ['ID|NAME'],
  examples: [
    ['queuectl result get k3f9', 'as the job wrote it'],
    [
      "queuectl result get build | jq -r '.artifact'",
      'inside a job: of the one named build that it waited for',
    ],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['id'], 'result get');
  const job = await (await context.queue()).findCalled(given, context.environment.QUEUECTL_JOB_ID);
  if (job.result === null) throw noResult(job);
  return { data: JSON.parse(job.result), text: job.result };
}

function noResult({ id, state }: Job): QueueError {
  return isFinal(state)
    ? new QueueError('no_result', {
        id,
        why: '',
        hint: `a job sets one by: queuectl result set JSON; if it did, queuectl show ${id} says why it was not kept`,
      })
    : new QueueError('no_result', {
        id,
        why: `: it is ${state}`,
        hint: `queuectl wait ${id} until it has ended`,
      });
}
