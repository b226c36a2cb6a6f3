// queuectl enqueue: jobs in, from arguments, a file or stdin; all of them or none.

import { QueueError } from '../../errors.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { Queue } from '../../queue.ts';
import type { Command, Context, Result } from '../command.ts';
import { enqueuedText } from '../enqueued.ts';
import { jobLines } from '../job-lines.ts';
import { jobIntake } from '../job-intake.ts';
import { commandFrom, JOB_OPTIONS } from '../job-options.ts';
import { jobsInJson, looksLikeJson } from '../json-argument.ts';

export const command: Command = {
  name: 'enqueue',
  aliases: ['add'],
  purpose: 'run',
  summary: 'put a command in the queue',
  usage: [
    "'COMMAND'",
    '-- PROGRAM ARG...',
    '\'{"command":"...", ...}\'...',
    '--file FILE | @FILE | - [--lines]',
  ],
  options: {
    ...JOB_OPTIONS,
    file: {
      kind: 'text',
      value: 'FILE',
      means: 'jobs from a file: JSON or NDJSON; - for stdin',
    },
    lines: { kind: 'flag', means: 'the file or stdin holds a command a line' },
    'print-id': { kind: 'flag', means: 'print only the ids' },
  },
  examples: [
    ["queuectl enqueue 'make thumbnails'", 'a command for the shell'],
    ["queuectl enqueue -- convert 'my photo.png' out.jpg", 'exactly these arguments, no shell'],
    ["queuectl enqueue --run-at 'tomorrow 9:00' ./report.sh", 'later'],
    ['queuectl enqueue -r 5 ./sync.sh', 'with five retries'],
    ['queuectl enqueue \'{"id":"job1","command":"sleep 2"}\'', 'from JSON'],
    ['ls *.png | sed "s/^/optipng /" | queuectl enqueue - --lines', 'a job a line'],
  ],
  notes: ['With --json: an array of the jobs as they were stored, also for a single one.'],
  completes: 'file',
  run,
};

async function run(context: Context): Promise<Result> {
  const path = sourcePath(context);
  if (path === null) return enqueueArguments(context);
  const { enqueueSource } = await import('../bulk.ts'); // not needed for one job, and not small
  return enqueueSource(context, path);
}

function sourcePath({ args, exact, options }: Context): string | null {
  const [first] = args;
  const named = first === '-' ? '-' : first?.startsWith('@') ? first.slice(1) : null;
  const path = options.text('file') ?? named;
  if (path === null || path === undefined) {
    if (options.has('lines')) throw wrongSource('--lines needs a file or stdin');
    return null;
  }
  if (args.length > (named === null ? 0 : 1) || exact !== null || options.has('command'))
    throw wrongSource('a file and a command at once');
  return path;
}

const wrongSource = (problem: string): QueueError =>
  new QueueError('usage', {
    problem,
    hint: 'queuectl enqueue - --lines reads commands from stdin, --file FILE from a file',
  });

async function enqueueArguments(context: Context): Promise<Result> {
  const isJson = context.exact === null && context.args.length > 0 && context.args.every(looksLikeJson);
  const raws = isJson ? context.args.flatMap(jobsInJson) : [commandFrom(context, 'enqueue')];
  const queue = await context.queue();
  const { read, enqueue } = await jobIntake(context, queue);
  const jobs = await enqueue(raws.map(read));
  await suggestWorker(context, queue, jobs);
  return answer(context, jobs);
}

function answer({ options }: Context, jobs: readonly Job[]): Result {
  const lines = jobLines(jobs, enqueuedText);
  return options.has('print-id') ? { ...lines, text: jobs.map(({ id }) => id).join('\n') } : lines;
}

/** A new user has no worker yet: say what comes next, where a person reads it. */
async function suggestWorker({ terminal }: Context, queue: Queue, jobs: readonly NewJob[]): Promise<void> {
  if (!terminal.isWatched || terminal.json || jobs[0] === undefined) return;
  if ((await queue.workersServing(jobs[0].queue)).length > 0) return;
  const forQueue = jobs[0].queue === 'default' ? '' : ` --queue ${jobs[0].queue}`;
  terminal.hint(`no worker is running: queuectl worker start${forQueue}`);
}
