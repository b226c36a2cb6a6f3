import { type QueueError, usageError } from '../../errors/errors.ts';
import { reservedBy } from '../../job/isolation/isolation.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { Command, Result } from '../command.ts';
import { arrivedText } from '../enqueue/enqueued.ts';
import { jobLines } from '../jobs/job-lines.ts';
import { commandFrom } from '../enqueue/command-argument.ts';
import { jobsInJson, looksLikeJson } from '../enqueue/json-argument.ts';
import { suggestWorker } from '../enqueue/suggest-worker.ts';
import { enqueueIntake } from '../enqueue/work-defaults.ts';
import { ENQUEUE_OPTIONS, type EnqueueContext, isAwaited } from '../options/enqueue-options.ts';

export const command: Command<typeof ENQUEUE_OPTIONS> = {
  name: 'enqueue',
  aliases: ['add'],
  purpose: 'run',
  createsQueue: true,
  summary: 'add a job to the queue',
  usage: [
    "'COMMAND' | -- PROGRAM ARG...",
    '\'{"command":"...", ...}\'...',
    '--recipe NAME [--param K=V]...',
    '--file FILE | @FILE | - [--lines]',
    "--array 0-99 | --each FILE 'COMMAND'",
  ],
  options: ENQUEUE_OPTIONS,
  examples: [
    ["queuectl enqueue 'make thumbnails'", 'enqueue a shell command'],
    ["queuectl enqueue -- convert 'my photo.png' out.jpg", 'enqueue an exact argument list without a shell'],
    ["queuectl enqueue --run-at 'tomorrow 9:00' ./report.sh", 'start a job at a later time'],
    ['queuectl enqueue --after build ./deploy.sh', 'run a job after the job named build completes'],
    ['queuectl enqueue \'{"id":"job1","command":"sleep 2"}\'', 'enqueue a job from JSON'],
    ['queuectl enqueue - --lines --work 4 < cmds', 'enqueue one command per line and run four at a time'],
    ["queuectl enqueue --each files 'gzip {}'", 'enqueue one job per line of a file'],
  ],
  notes: ['With --json, enqueue prints an array of the stored jobs.'],
  completes: 'file',
  run: async (context) => {
    rejectStdinTwice(context);
    if (context.options.has('array') || context.options.has('each')) {
      const { enqueueFan } = await import('../enqueue/fan-out.ts');
      return enqueueFan(context);
    }
    const path = sourcePath(context);
    if (path === null) return enqueueArguments(context);
    const isYaml = /\.ya?ml$/i.test(path) && !context.options.has('lines');
    if (isYaml) return (await import('../enqueue/workflow.ts')).enqueueYamlFile(context, path);
    const { enqueueSource } = await import('../enqueue/bulk.ts'); // large, and not needed for one job
    return enqueueSource(context, path);
  },
};

function rejectStdinTwice({ args, options }: EnqueueContext): void {
  const sources = [args[0], options.text('file'), options.text('each')];
  if (options.text('stdin') !== '-' || !sources.includes('-')) return;
  throw usageError('stdin cannot provide both the jobs and their standard input', 'pass one of them as a file');
}

function sourcePath({ args, exact, options }: EnqueueContext): string | null {
  const [first] = args;
  const named = first === '-' ? '-' : first?.startsWith('@') ? first.slice(1) : null;
  const path = options.text('file') ?? named;
  if (path === null || path === undefined) {
    if (options.has('lines')) throw wrongSource('--lines requires a file or stdin');
    return null;
  }
  if (args.length > (named === null ? 0 : 1) || exact !== null || options.has('command'))
    throw wrongSource('a file and a command cannot be combined');
  return path;
}

const wrongSource = (problem: string): QueueError =>
  usageError(problem, 'read commands from stdin with queuectl enqueue - --lines, or from a file with --file FILE');

async function enqueueArguments(context: EnqueueContext): Promise<Result> {
  const isJson = context.exact === null && context.args.length > 0 && context.args.every(looksLikeJson);
  const raws = isJson ? context.args.flatMap(jobsInJson) : [commandFrom(context, 'enqueue')];
  if (isJson && mayBeFlow(raws)) {
    const { enqueueJsonFlow } = await import('../enqueue/workflow.ts');
    return enqueueJsonFlow(context, context.args[0] ?? '', raws.length === 1 ? raws[0] : raws);
  }
  const queue = await context.queue();
  const isToWait = isAwaited(context, queue);
  const { read, enqueue } = await enqueueIntake(context, queue);
  const given = raws.map(read);
  const jobs = await enqueue(given);
  if (jobs.some(({ confinement, weight }) => reservedBy(confinement) > 0 || (weight ?? 1) > 1)) {
    const { sayIfTooLarge } = await import('../enqueue/too-large-notice.ts');
    await sayIfTooLarge(context, queue, jobs);
  }
  if (isToWait) return (await import('../enqueue/enqueue-wait.ts')).waitForEnqueued(context, queue, jobs);
  await suggestWorker(context, queue, jobs);
  return answer(context, given, jobs);
}

/** Whether this may be a workflow, or jobs that refer to each other. The exact check is loaded only then. */
const mayBeFlow = (raws: readonly unknown[]): boolean =>
  raws.some((raw) =>
    namesIn(raw).some((name) => (raws.length === 1 ? name === 'jobs' : /^(after|depends)/.test(name))),
  );

const namesIn = (raw: unknown): string[] => (typeof raw === 'object' && raw !== null ? Object.keys(raw) : []);

function answer({ options }: EnqueueContext, given: readonly NewJob[], jobs: readonly Job[]): Result {
  const lines = jobLines(jobs, (job, i) => arrivedText(given[i], job));
  return options.has('print-id') ? { ...lines, text: jobs.map(({ id }) => id).join('\n') } : lines;
}
