import { usageError } from '../../errors/errors.ts';
import { type Progress, progressOf, progressText } from '../../job/output/progress.ts';
import type { Command } from '../command.ts';
import { tellWorker } from '../jobs/inside-job.ts';

export const command: Command = {
  name: 'progress',
  purpose: 'run',
  summary: 'report the progress of the current job (inside a job)',
  usage: ['PERCENT [NOTE]'],
  examples: [
    ["queuectl progress 40 'resizing'", 'report 40 percent; show, list and wait display it'],
    ["echo '::progress 40 resizing'", 'report progress from any program with an output line'],
  ],
  notes: ['The worker stores the latest progress once a second. A new attempt starts without progress.'],
  run: async (context) => {
    const progress = progressFrom([...context.args, ...(context.exact ?? [])]);
    tellWorker(context, 'QUEUECTL_PROGRESS', progressText(progress), {
      command: 'progress',
      hint: "enqueue a script that reports its progress: queuectl enqueue './script.sh'",
    });
    return { data: { progress: progress.percent, progress_note: progress.note } };
  },
};

function progressFrom([percent, ...note]: readonly string[]): Progress {
  const hint = "queuectl progress 40 'resizing'";
  if (percent === undefined) throw usageError('missing PERCENT', hint);
  const progress = progressOf(percent, note.join(' '));
  if (progress) return progress;
  throw usageError(`progress must be a number from 0 to 100, not '${percent.slice(0, 40)}'`, hint);
}
