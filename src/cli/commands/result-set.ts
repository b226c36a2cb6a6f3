// queuectl result set: what the job that runs this command hands on.

import { QueueError } from '../../errors/errors.ts';
import { checkedResult, RESULT_MAX_BYTES } from '../../job/output/result.ts';
import { readBounded } from '../enqueue/bounded-input.ts';
import type { Command, Context, Result } from '../command.ts';
import { tellWorker } from '../jobs/inside-job.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'result set',
  purpose: 'run',
  summary: 'inside a job: set its result, as JSON',
  usage: ['JSON', '-'],
  examples: [
    ['queuectl result set \'{"rows":120}\'', 'the last one counts'],
    ['jq .summary report.json | queuectl result set -', 'from stdin'],
    ['echo \'{"rows":120}\' > "$QUEUECTL_RESULT"', 'the same without queuectl'],
  ],
  notes: [`It is stored when the attempt ends; at most ${RESULT_MAX_BYTES} bytes.`],
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['json'], 'result set');
  const result = checkedResult(given === '-' ? await fromStdin() : given);
  tellWorker(context, 'QUEUECTL_RESULT', result, {
    command: 'result set',
    hint: 'to read the result of a job: queuectl result get ID',
  });
  return { data: { result: JSON.parse(result) } };
}

async function fromStdin(): Promise<string> {
  const data = await readBounded('-', RESULT_MAX_BYTES);
  if (data !== null) return data.toString();
  throw new QueueError('invalid_result', { problem: `it is over ${RESULT_MAX_BYTES} bytes long` });
}
