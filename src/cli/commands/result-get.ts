import { QueueError } from '../../errors/errors.ts';
import { isFinal, type Job } from '../../job/job.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'result get',
  purpose: 'look',
  summary: 'print the result of a job (JSON)',
  usage: ['ID|NAME'],
  examples: [
    ['queuectl result get k3f9', 'print the result that the job stored'],
    ["queuectl result get build | jq -r '.artifact'", 'inside a job: print the result of the dependency named build'],
  ],
  completes: 'job',
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['id'], 'result get');
    const job = await (await context.queue()).findCalled(given, context.environment.QUEUECTL_JOB_ID);
    if (job.result === null) throw noResult(job);
    return { data: JSON.parse(job.result), text: job.result };
  },
};

function noResult({ id, state }: Job): QueueError {
  return isFinal(state)
    ? new QueueError('no_result', {
        id,
        why: '',
        hint: `set a result inside the job: queuectl result set JSON; to see why a result was not stored: queuectl show ${id}`,
      })
    : new QueueError('no_result', {
        id,
        why: `: the job is ${state}`,
        hint: `wait until the job finishes: queuectl wait ${id}`,
      });
}
