// queuectl schedule next: the next times of a schedule.

import { isoTime } from '../../job/wire.ts';
import { viewOf } from '../../report/schedule.ts';
import type { Command, Context, Result } from '../command.ts';
import { QueueError } from '../../errors/errors.ts';
import { timeLines } from '../render/schedule.ts';
import { exactArguments } from '../required.ts';

const SHOWN = 10;
const MOST = 1000;

export const command: Command = {
  name: 'schedule next',
  purpose: 'look',
  summary: 'show the next times of a schedule',
  usage: ['NAME [--count N]'],
  options: { count: { kind: 'integer', short: 'n', value: 'N', means: `how many (default: ${SHOWN})` } },
  examples: [
    ['queuectl schedule next backup', 'the next ten, in its zone'],
    ['queuectl schedule next backup -n 100 --json', 'a hundred, in UTC, as data'],
  ],
  notes: ['Without the jitter of the schedule, if it has one.'],
  completes: 'schedule',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'schedule next');
  const count = context.options.number('count') ?? SHOWN;
  if (count < 1 || count > MOST) {
    throw new QueueError('usage', { problem: `--count must be from 1 to ${MOST}, not ${count}` });
  }
  const queue = await context.queue();
  const view = await viewOf(await (await queue.schedules()).get(name), queue.now(), count);
  return {
    data: view.next.map(isoTime),
    text: timeLines(view, queue.now())
      .map((line) => line.trimStart())
      .join('\n'),
  };
}
