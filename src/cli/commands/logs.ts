import { QueueError, usageError } from '../../errors/errors.ts';
import { type Attempt, isFinal, type Job } from '../../job/job.ts';
import { STDERR, STDOUT } from '../../job/output/output-stamps.ts';
import { follow } from '../../output/follow.ts';
import { lastLines, type Shown } from '../../output/last-lines.ts';
import { LogEvents } from '../../output/log-events.ts';
import { LogText, type View } from '../../output/log-text.ts';
import { ALL, type Receiver, show } from '../../output/receiver.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { inRange, onlyOneOf } from '../options/checks.ts';
import { JsonText } from '../jobs/json-text.ts';
import { NoWorkerNotice } from '../enqueue/no-worker-notice.ts';
import { TerminalText } from '../render/kit/terminal-text.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  follow: {
    kind: 'flag',
    short: 'f',
    help: 'follow the output across retries until the job finishes',
  },
  attempt: { kind: 'integer', value: 'N', help: 'show only this attempt, by its number in queuectl show' },
  tail: { kind: 'integer', short: 'n', value: 'N', help: 'show only the last N lines' },
  raw: { kind: 'flag', help: 'print only the bytes that the job wrote, without START and END lines' },
  timestamps: { kind: 'flag', help: 'print the time before each line' },
  stdout: { kind: 'flag', help: 'show only stdout, for jobs enqueued with --split-output' },
  stderr: { kind: 'flag', help: 'show only stderr, for jobs enqueued with --split-output' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'logs',
  purpose: 'look',
  summary: 'show the output of a job; follow it with -f',
  usage: ['ID [-f] [--attempt N] [--tail N]'],
  options: OPTIONS,
  examples: [
    ['queuectl logs k3f9', 'show all attempts, each between a START and an END line'],
    ['queuectl logs -f k3f9', 'follow the output live'],
    ['queuectl logs k3f9 --attempt 2 --tail 20', 'show the last 20 lines of the second attempt'],
    ['queuectl logs -f k3f9 --json', 'print one JSON document for each start, line and end'],
  ],
  completes: 'job',
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['id'], 'logs');
    const view = viewOf(context);
    const queue = await context.queue();
    const job = await queue.find(given);
    if (view.stream !== null && !job.splitOutput) throw notSplit(job.id);
    const attempts = chosen(job, await queue.history(job.id), context.options.number('attempt'));
    const wanted = { context, queue, job, view, attempts };
    if (follows(context)) return followOn(wanted);
    if (context.terminal.json) await printDocument(wanted);
    else await printText(wanted);
    if (attempts.length === 0) await sayWhyEmpty(wanted);
    return {};
  },
};

interface Wanted {
  readonly context: Context<typeof OPTIONS>;
  readonly queue: AnyQueue;
  readonly job: Job;
  readonly view: View;
  readonly attempts: readonly Attempt[];
}

function viewOf({ options }: Context<typeof OPTIONS>): View {
  inRange('tail', options.number('tail') ?? 0, 0);
  onlyOneOf(options, 'raw', 'timestamps');
  const chosen = onlyOneOf(options, 'stdout', 'stderr');
  const stream = chosen === undefined ? null : chosen === 'stdout' ? STDOUT : STDERR;
  return { raw: options.has('raw'), timestamps: options.has('timestamps'), stream };
}

const follows = ({ options }: Context<typeof OPTIONS>): boolean =>
  options.has('follow') && options.number('attempt') === undefined;

const notSplit = (id: string): QueueError =>
  usageError(`stdout and stderr of job '${id}' were not recorded separately`, 'enqueue the job with --split-output');

function chosen(job: Job, attempts: readonly Attempt[], number: number | undefined): readonly Attempt[] {
  if (number === undefined) return attempts;
  const found = attempts.find(({ run }) => run === number);
  if (!found) throw new QueueError('attempt_not_found', { id: job.id, number });
  return [found];
}

async function printText(wanted: Wanted): Promise<void> {
  const out = outputFor(wanted);
  await render(wanted, out.add);
  out.end();
}

/** Writes the bytes of the output unchanged, except on a terminal. */
function outputFor({ context: { terminal }, view }: Wanted) {
  const isSafe = terminal.width === null || terminal.json || view.raw;
  if (isSafe) return { add: (chunk: string | Uint8Array): void => terminal.out(chunk), end: () => {} };
  const text = new TerminalText((shown) => terminal.out(shown));
  return { add: (chunk: string | Uint8Array): void => text.add(chunk), end: () => text.end() };
}

async function render(wanted: Wanted, write: (chunk: string | Uint8Array) => void): Promise<void> {
  const text = new LogText(wanted.view, write);
  for (const { output, ...extent } of await shownOf(wanted)) {
    if (!extent.withStart) text.continueAt(extent.from, output.isPlainText);
    await show(output, wanted.job.command, text, extent);
  }
}

async function shownOf({ context, queue, job, view, attempts }: Wanted): Promise<Shown[]> {
  const outputs = await Promise.all(attempts.map((attempt) => queue.outputOf(job, attempt)));
  const tail = context.options.number('tail');
  if (tail !== undefined) return lastLines(outputs, tail, view);
  return outputs.map((output) => ({ output, ...ALL }));
}

/** Also printed for scripts, because an empty output can also come from a job that printed nothing. */
async function sayWhyEmpty({ context: { terminal }, queue, job }: Wanted, isFollowed = false): Promise<void> {
  if (isFinal(job.state)) return terminal.notice(`job ${job.id} never started: it was ${job.state}`);
  const [first] = (await (await queue.reports()).details(job)).waits;
  if (isFollowed && first?.reason === 'no_worker') return; // NoWorkerNotice reports this, and when a worker starts
  const reason = first ? `: ${first.message}` : '';
  terminal.notice(`job ${job.id} has not started yet${reason}; for details run: queuectl why ${job.id}`);
}

/** Prints finished attempts, or their last lines, and then follows the running and later ones. */
async function followOn(wanted: Wanted): Promise<Result> {
  const { context, queue, job, view } = wanted;
  const ended = wanted.attempts.filter(({ endedAt }) => endedAt !== null);
  const out = outputFor(wanted);
  const receiver: Receiver = context.terminal.json ? new LogEvents(view.stream, out.add) : new LogText(view, out.add);
  if (context.terminal.json)
    for (const attempt of ended) await show(await queue.outputOf(job, attempt), job.command, receiver);
  else await printText({ ...wanted, attempts: ended });
  if (wanted.attempts.length === 0) await sayWhyEmpty(wanted, true);
  const notice = new NoWorkerNotice(queue, context.terminal);
  const idle = (seen: Job): Promise<void> => notice.look([seen]);
  await follow(queue, job.id, receiver, { afterRun: ended.at(-1)?.run ?? 0, idle });
  out.end();
  return {};
}

/** Writes one JSON document in pieces, because an output may exceed the maximum length of a string. */
async function printDocument(wanted: Wanted): Promise<void> {
  const { context, job, attempts } = wanted;
  const json = new JsonText((text) => context.terminal.out(text));
  json.raw(`{\n  "id": ${JSON.stringify(job.id)},\n  "attempts": [`);
  for (const [i, attempt] of attempts.entries()) {
    const head = JSON.stringify({ number: attempt.number, run: attempt.run, log_path: attempt.logPath });
    json.raw(`${i > 0 ? ',' : ''}\n    ${head.slice(0, -1)},"output":`);
    json.begin();
    await render({ ...wanted, attempts: [attempt] }, (chunk) => json.add(chunk));
    json.end();
    json.raw('}');
  }
  json.raw(`${attempts.length > 0 ? '\n  ' : ''}]\n}\n`);
}
