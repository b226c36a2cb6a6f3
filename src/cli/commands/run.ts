// queuectl run: enqueues one job, shows its output live, and exits with its exit code. If no worker serves the queue,
// this process runs the job itself.

import { QueueError } from '../../errors/errors.ts';
import { exitCodeOf } from '../../job/exit-code.ts';
import { isFinal, type Job, type Outcome } from '../../job/job.ts';
import { DEFAULT_WEIGHT } from '../../job/flow/concurrency.ts';
import { isClaimable } from '../../job/state-sets.ts';
import { jobToJson } from '../../job/wire.ts';
import { follow } from '../../output/follow.ts';
import { type Stream, STDERR } from '../../job/output/output-stamps.ts';
import type { Receiver } from '../../output/receiver.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobInput } from '../../queue/queue.ts';
import { jobServerFor } from '../../server/job-server/open-job-server.ts';
import { makeWorkerId, startWorker } from '../../worker/start-worker.ts';
import type { Worker } from '../../worker/worker.ts';
import type { Command, Context, Result } from '../command.ts';
import { INTERRUPTED } from '../interrupt.ts';
import { jobIntake } from '../enqueue/job-intake.ts';
import { pipedStdin } from '../enqueue/job-stdin.ts';
import { commandFrom } from '../enqueue/command-argument.ts';
import { JOB_OPTIONS, saidByFlags } from '../options/job-options.ts';
import { jobsInJson, looksLikeJson } from '../enqueue/json-argument.ts';
import { duration } from '../render/kit/human.ts';
import { TerminalText } from '../render/kit/terminal-text.ts';
import { keepParts } from '../keep-parts.ts';
import { NoWorkerNotice } from '../enqueue/no-worker-notice.ts';
import { WaitNotice } from '../enqueue/wait-notice.ts';
import { guardProgram } from '../program-path.ts';

const LOOK_FOR_WORKERS_MS = 1000;
const LARGEST_JSON_OUTPUT_BYTES = 128 * 1024 * 1024;

export const command: Command<typeof JOB_OPTIONS> = {
  name: 'run',
  purpose: 'run',
  createsQueue: true,
  summary: 'run a command through the queue and show its output',
  usage: ["'COMMAND'", '-- PROGRAM ARG...', '\'{"command":"...", ...}\''],
  options: JOB_OPTIONS,
  examples: [
    ["queuectl run 'make test'", 'show the output, record the job and exit with its exit code'],
    ['queuectl run --max-retries 3 ./flaky.sh', 'allow retries (default: none)'],
    ['queuectl run --timeout 5m -- ./backup.sh /home', 'stop the command after this time'],
    ["pg_dump shop | queuectl run 'gzip > shop.gz'", 'pass piped input to the command at every attempt'],
  ],
  notes: [
    "If stdout and stderr go to different files, the job's stderr goes to stderr. Otherwise stdout and stderr keep their order.",
    'If no worker serves the queue, run executes the job itself. Otherwise, and with --server, a worker runs the job, and Ctrl-C leaves it running.',
  ],
  completes: 'file',
  run: async (context) => {
    const stdin = context.options.has('stdin') ? null : await pipedStdin(context.terminal);
    const queue = await context.queue();
    const said = { ...saidByFlags(context), ...(stdin && { stdin }) };
    const { read, enqueue } = await jobIntake(context, queue, said);
    const [job] = await enqueue([read(forWatching(context))]);
    if (!job) return {};
    const watch = new Watch(context, queue, job);
    const final = await watch.untilFinal().catch((error: unknown) => {
      throw butEnqueued(error, job);
    });
    return { ...(await watch.answer(final)), exitCode: final ? exitCodeOf(final) : INTERRUPTED };
  },
};

/** Adds to the error that the job was already stored. */
function butEnqueued(error: unknown, { id }: Job): unknown {
  if (!(error instanceof QueueError) || error.details.problem === undefined) return error;
  const problem = `${error.details.problem}; job '${id}' enqueued, but its output cannot be shown`;
  return new QueueError(error.code, { ...error.details, problem }, { cause: error });
}

/**
 * A user who waits wants to see the failure, so there are no retries by default. If stdout and stderr go to different
 * files, so do those of the job; otherwise they keep their order.
 */
function forWatching(context: Context<typeof JOB_OPTIONS>): JobInput {
  const json = context.args.length === 1 && context.exact === null && looksLikeJson(context.args[0] ?? '');
  const said = (json ? jobsInJson(context.args[0] ?? '')[0] : commandFrom(context, 'run')) as JobInput;
  const saysRetries = Object.keys(said ?? {}).some((key) => /^max_?(retries|attempts)$/i.test(key));
  const saysSplit = Object.keys(said ?? {}).some((key) => /^split_?output$/i.test(key));
  const isSplit = !saysSplit && context.terminal.areApart && !context.terminal.json;
  if (typeof said !== 'object') return said;
  return { ...said, ...(!saysRetries && { max_retries: 0 }), ...(isSplit && { split_output: true }) };
}

/** Outcomes that the output of the command does not explain. */
const NEEDS_REASON: readonly (Outcome | null | undefined)[] = ['not_started', 'rejected', 'limit', 'timeout'];

class Watch {
  private readonly context: Context;
  private readonly queue: AnyQueue;
  private readonly job: Job;
  private readonly detached = new AbortController();
  private readonly output: Receiver;
  /** Filters for the streams of the job on a terminal. */
  private readonly shown: { readonly out: TerminalText; readonly err: TerminalText };
  /** Why the command cannot continue: the reader of stdout is gone, or its worker failed. */
  private problem: unknown = null;
  private here: { readonly id: string; readonly worker: Worker; readonly done: Promise<void> } | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly notice: NoWorkerNotice;
  private readonly reason: WaitNotice;

  constructor(context: Context, queue: AnyQueue, job: Job) {
    this.context = context;
    this.queue = queue;
    this.job = job;
    this.notice = new NoWorkerNotice(queue, context.terminal);
    this.reason = new WaitNotice(queue, context.terminal);
    this.shown = {
      out: new TerminalText((text) => context.terminal.out(text)),
      err: new TerminalText((text) => context.terminal.err(text)),
    };
    const add: Receiver['add'] = ({ data, stream }) => this.write(data, stream);
    this.output = { isChoosy: job.splitOutput, begin: () => {}, add, end: () => {} };
  }

  /** Returns null if the command leaves before the job finishes. */
  async untilFinal(): Promise<Job | null> {
    this.context.onInterrupt((count) => void this.interrupt(count), ['SIGHUP']);
    await this.workIfNobodyDoes(this.job);
    const final = await this.followed();
    if (this.problem !== null) throw this.problem; // the worker may have failed while it was stopping
    return final;
  }

  private async followed(): Promise<Job | null> {
    try {
      const final = await follow(this.queue, this.job.id, this.output, {
        skip: ({ workerId }) => workerId === this.here?.id, // its output is shown live
        signal: this.detached.signal,
        idle: (job) => this.workIfNobodyDoes(job),
      });
      if (this.problem !== null) throw this.problem;
      return final;
    } catch (error) {
      if (this.here) await this.queue.cancel([this.job.id]).catch(() => {}); // the reader of stdout is gone
      throw error;
    } finally {
      await this.here?.done;
    }
  }

  async answer(final: Job | null): Promise<Result> {
    const { terminal } = this.context;
    this.shown.out.end();
    this.shown.err.end();
    if (final === null) {
      terminal.say(`job ${this.job.id} continues in the background; follow it with: queuectl logs -f ${this.job.id}`);
      return {};
    }
    if (terminal.json) return { data: { ...jobToJson(final), output: await this.keptOutput(final) } };
    const [attempt] = (await this.queue.history(final.id)).slice(-1);
    if (NEEDS_REASON.includes(attempt?.outcome)) terminal.say(`error: ${final.lastError}`);
    else if (final.state !== 'completed') {
      terminal.hint(`${final.id}  ${final.state}  ${final.lastError ?? ''}  after ${duration(final.durationMs ?? 0)}`);
    }
    return {};
  }

  private write(chunk: Uint8Array, stream: Stream | null): void {
    const { terminal } = this.context;
    if (terminal.json) return;
    const [name, isTerminal] =
      stream === STDERR ? (['err', terminal.isWatched] as const) : (['out', terminal.width !== null] as const);
    if (isTerminal) this.shown[name].add(chunk);
    else terminal[name](chunk);
  }

  /** Shows output of the worker in this process. Errors of stdout must not reach the worker. */
  private show(chunk: Buffer, stream: Stream): void {
    try {
      if (this.problem === null) this.write(chunk, stream);
    } catch (error) {
      this.leave(error);
    }
  }

  private leave(problem: unknown): void {
    this.problem ??= problem;
    this.detached.abort();
  }

  /** Returns the stored output of all attempts, up to a size that JSON strings can have. */
  private async keptOutput(final: Job): Promise<string> {
    const pieces: Buffer[] = [];
    let left = LARGEST_JSON_OUTPUT_BYTES;
    for (const attempt of await this.queue.history(final.id)) {
      for await (const { data } of (await this.queue.outputOf(final, attempt)).parts()) {
        pieces.push(data.subarray(0, left));
        left -= data.length;
        if (left <= 0) return Buffer.concat(pieces).toString();
      }
    }
    return Buffer.concat(pieces).toString();
  }

  private async workIfNobodyDoes(job: Job): Promise<void> {
    const { local } = this.queue;
    if (local === null) return this.notice.look([job]);
    await this.reason.look([job]);
    const waits = isClaimable(job.state);
    if (this.here || !waits || performance.now() - this.lookedAt < LOOK_FOR_WORKERS_MS) return;
    this.lookedAt = performance.now();
    if ((await this.queue.workersServing(job.queue)).length > 0) return;
    keepParts();
    const id = makeWorkerId();
    const worker = startWorker(local, {
      id,
      queues: [job.queue],
      concurrency: job.weight ?? DEFAULT_WEIGHT, // this worker runs only this job
      drain: false,
      only: job.id,
      log: () => {},
      watch: (chunk, stream) => this.show(chunk, stream),
      guard: guardProgram(),
      jobServer: jobServerFor(local),
    });
    this.here = { id, worker, done: this.work(worker) };
  }

  /** Never rejects: the code that waits for the job reports errors. */
  private async work(worker: Worker): Promise<void> {
    try {
      await worker.run();
      await this.leaveIfStopped();
    } catch (error) {
      this.leave(error);
    }
  }

  /** If the worker in this process was stopped, the job waits for another one. This command does not. */
  private async leaveIfStopped(): Promise<void> {
    const job = await this.queue.get(this.job.id);
    if (job && !isFinal(job.state)) this.detached.abort();
  }

  /** Stops a job that runs in this process: first with TERM, then with KILL. A job of another worker continues. */
  private async interrupt(count: number): Promise<void> {
    if (!this.here) {
      this.detached.abort();
      return;
    }
    if (count === 1) await this.queue.cancel([this.job.id]).catch(() => {});
    else await this.here.worker.killJobs();
  }
}
