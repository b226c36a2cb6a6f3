// queuectl progress: how far the job is that runs this command.

import { QueueError } from '../../errors/errors.ts';
import { type Progress, progressOf, progressText } from '../../job/output/progress.ts';
import type { Command, Context, Result } from '../command.ts';
import { tellWorker } from '../jobs/inside-job.ts';

export const command: Command = {
  name: 'progress',
  purpose: 'run',
  summary: 'inside a job: report its progress',
  usage: ['PERCENT [NOTE]'],
  examples: [
    ["queuectl progress 40 'resizing'", 'shown by show, list and wait'],
    ["echo '::progress 40 resizing'", 'the same as a line of output, from any program'],
  ],
  notes: ['The worker passes the latest on once a second. A new attempt starts without progress.'],
  run,
};

async function run(context: Context): Promise<Result> {
  const progress = progressFrom([...context.args, ...(context.exact ?? [])]);
  tellWorker(context, 'QUEUECTL_PROGRESS', progressText(progress), {
    command: 'progress',
    hint: "enqueue the script that calls it: queuectl enqueue './script.sh'",
  });
  return { data: { progress: progress.percent, progress_note: progress.note } };
}

function progressFrom([percent, ...note]: readonly string[]): Progress {
  const hint = "queuectl progress 40 'resizing'";
  if (percent === undefined) throw new QueueError('usage', { problem: 'how far is it?', hint });
  const progress = progressOf(percent, note.join(' '));
  if (progress) return progress;
  throw new QueueError('usage', {
    problem: `progress is a number from 0 to 100, not '${percent.slice(0, 40)}'`,
    hint,
  });
}
