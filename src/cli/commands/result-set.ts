import { QueueError } from '../../errors/errors.ts';
import { checkedResult, RESULT_MAX_BYTES } from '../../job/output/result.ts';
import { readBounded } from '../enqueue/bounded-input.ts';
import type { Command } from '../command.ts';
import { tellWorker } from '../jobs/inside-job.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'result set',
  purpose: 'run',
  summary: 'set the result of the current job, as JSON (inside a job)',
  usage: ['JSON', '-'],
  examples: [
    ['queuectl result set \'{"rows":120}\'', 'set the result; the last call wins'],
    ['jq .summary report.json | queuectl result set -', 'set the result from stdin'],
    ['echo \'{"rows":120}\' > "$QUEUECTL_RESULT"', 'set the result without queuectl'],
  ],
  notes: [`The result is stored when the attempt finishes. The maximum size is ${RESULT_MAX_BYTES} bytes.`],
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['json'], 'result set');
    const result = checkedResult(given === '-' ? await fromStdin() : given);
    tellWorker(context, 'QUEUECTL_RESULT', result, {
      command: 'result set',
      hint: 'read the result of a job: queuectl result get ID',
    });
    return { data: { result: JSON.parse(result) } };
  },
};

async function fromStdin(): Promise<string> {
  const data = await readBounded('-', RESULT_MAX_BYTES);
  if (data !== null) return data.toString();
  throw new QueueError('invalid_result', { problem: `larger than the limit of ${RESULT_MAX_BYTES} bytes` });
}
