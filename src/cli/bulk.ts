// Many jobs on their way in from a file or stdin: batches, progress, and where in the input each one stood.

import { QueueError } from '../errors.ts';
import type { NewJob } from '../job/job.ts';
import type { Queue } from '../queue.ts';
import type { Context, Result } from './command.ts';
import { enqueuedText } from './enqueued.ts';
import { jobIntake } from './job-intake.ts';
import { jsonWriter } from './job-writer.ts';
import { count, many } from './render/human.ts';
import { openSource, type Written } from './source.ts';

const BATCH = 5000;
const READ_BACK = 1000;
const PROGRESS_EVERY_MS = 200;

/** Any number of jobs: they gather beside the queue and go in all at once, when the last one was found good. */
export async function enqueueSource(context: Context, path: string): Promise<Result> {
  const queue = await context.queue();
  const source = openSource(path, context.options.has('lines'));
  const { read, stage } = await jobIntake(context, queue);
  const staging = await stage();
  const bulk = new Bulk(context, source.progress);
  try {
    for await (const written of source.jobs) {
      if (bulk.add(readOne(read, written), written)) await staging.add(bulk.take());
    }
    await staging.add(bulk.take());
    if (bulk.total === 0) throw nothingIn(path);
    await staging.commit();
  } catch (error) {
    throw bulk.locate(error);
  } finally {
    context.terminal.progress('');
    await staging.discard();
  }
  return answer(context, queue, bulk);
}

/** One job is answered as if it had been an argument; many by their number, unless their ids or documents are wanted. */
async function answer(context: Context, queue: Queue, { total, ids }: Bulk): Promise<Result> {
  if (context.terminal.json) return writeJson(context, queue, ids);
  if (context.options.has('print-id')) return { text: ids.join('\n') };
  const [only] = total === 1 ? await queue.getAll(ids) : [];
  return { text: only ? `${only.id}  ${enqueuedText(only)}` : `${many(total, 'job')} enqueued` };
}

/** Read back as they are written: there may be millions. */
async function writeJson({ terminal }: Context, queue: Queue, ids: readonly string[]): Promise<Result> {
  const writer = jsonWriter(terminal);
  for (let at = 0; at < ids.length; at += READ_BACK) {
    writer.write(await queue.getAll(ids.slice(at, at + READ_BACK)), false);
  }
  writer.end();
  return {};
}

const nothingIn = (path: string): QueueError =>
  new QueueError('usage', {
    problem: `there are no jobs in '${path}'`,
    hint: 'one JSON object a line, or --lines for commands',
  });

function readOne(read: (raw: unknown) => NewJob, { raw, unit, number }: Written): NewJob {
  try {
    return read(raw);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    const details = { where: `${unit} ${number}`, problem: error.message, hint: error.hint ?? '' };
    throw new QueueError('invalid_input', details);
  }
}

/** What is on its way in, and how far it has come. */
class Bulk {
  total = 0;
  private readonly context: Context;
  private readonly progress: () => number | null;
  /** Beyond the first kept only when they are to be printed: there may be millions. */
  readonly ids: string[] = [];
  private readonly keepsIds: boolean;
  private batch: NewJob[] = [];
  /** Job n stands at line n + shift from the given job on: it changes only at blank lines. */
  private readonly shifts: { readonly from: number; readonly shift: number }[] = [];
  private unit = 'line';
  private readonly startedAt = performance.now();
  private shownAt = this.startedAt;

  constructor(context: Context, progress: () => number | null) {
    this.context = context;
    this.progress = progress;
    this.keepsIds = context.options.has('print-id') || context.terminal.json;
  }

  /** Answers whether the batch is full. */
  add(job: NewJob, written: Written): boolean {
    this.total++;
    this.batch.push(job);
    if (this.keepsIds || this.total === 1) this.ids.push(job.id);
    this.unit = written.unit;
    const shift = written.number - this.total;
    if (shift !== this.shifts.at(-1)?.shift) this.shifts.push({ from: this.total, shift });
    return this.batch.length >= BATCH;
  }

  take(): NewJob[] {
    const { batch } = this;
    this.batch = [];
    this.show();
    return batch;
  }

  /** Names the line of a job whose id is taken. */
  locate(error: unknown): unknown {
    if (!(error instanceof QueueError) || error.code !== 'job_exists') return error;
    const position = Number(error.details.position);
    const shift = this.shifts.findLast(({ from }) => from <= position)?.shift ?? 0;
    const where = ` (${this.unit} ${position + shift}); nothing was enqueued`;
    return new QueueError('job_exists', { ...error.details, where }, { cause: error });
  }

  private show(): void {
    const now = performance.now();
    if (now - this.shownAt < PROGRESS_EVERY_MS) return;
    this.shownAt = now;
    const rate = (this.total / (now - this.startedAt)) * 1000;
    const share = this.progress();
    const percent = share === null ? '' : `${Math.floor(share * 100)} %  `;
    this.context.terminal.progress(`${percent}${count(this.total)} jobs read, ${count(rate)} a second`);
  }
}
