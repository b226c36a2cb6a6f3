// Enqueues many jobs from a file or stdin, in batches and with progress. Errors name the line of the job.

import { QueueError, usageError } from '../../errors/errors.ts';
import { isFlow } from '../../flow/document.ts';
import { haveReferences } from '../../flow/references.ts';
import type { NewJob } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { JobInput } from '../../queue/queue.ts';
import type { Context, Result } from '../command.ts';
import { AwaitedJobs } from './enqueue-wait.ts';
import { enqueuedText, manyArrivedText } from './enqueued.ts';
import { jsonWriter } from '../jobs/job-writer.ts';
import { nothingIn, parseJson } from './json-argument.ts';
import { count } from '../render/kit/human.ts';
import { listed, openSource, type Source, type Written } from './source.ts';
import { type EnqueueContext, isAwaited } from '../options/enqueue-options.ts';
import { enqueueIntake } from './work-defaults.ts';

const BATCH = 5000;
const READ_BACK = 1000;
const PROGRESS_EVERY_MS = 200;

/** Jobs to enqueue, and what they have in common. */
export interface Arriving extends Source {
  /** The error if there are no jobs. */
  readonly nothing: QueueError;
  /** Fields that override those of each job. Default: those of the given options. */
  readonly overrides?: JobInput;
  /** Addition to the success message: ' in group g7k2'. */
  readonly suffix?: string;
}

export async function enqueueSource(context: EnqueueContext, path: string): Promise<Result> {
  const source = await openSource(path, context.options.has('lines'));
  if (!('text' in source)) return enqueueAll(context, { ...source, nothing: nothingIn(path) });
  if (!looksLikeJsonText(source.text)) {
    if (!YAML_FLOW.test(source.text)) throw neither(path);
    return (await import('./workflow.ts')).enqueueYaml(context, source.text, path);
  }
  const value = parseJson(source.text);
  const jobs = Array.isArray(value) ? value : [value];
  if (isFlow(value) || haveReferences(jobs)) {
    const { enqueueJsonFlow } = await import('./workflow.ts');
    return enqueueJsonFlow(context, source.text, value);
  }
  return enqueueAll(context, { jobs: listed(jobs), progress: () => null, nothing: nothingIn(path) });
}

const looksLikeJsonText = (text: string): boolean => /^\s*[[{"]/.test(text);

/** The key of the jobs in a YAML workflow. */
const YAML_FLOW = /^jobs\s*:/m;

const neither = (path: string): QueueError =>
  usageError(
    `${path === '-' ? 'stdin' : `'${path}'`} is neither JSON nor a YAML workflow`,
    'use --lines to read one command per line',
  );

/** Enqueues any number of jobs: stages all of them first, and stores them at once when the last one is valid. */
export async function enqueueAll(context: EnqueueContext, arriving: Arriving): Promise<Result> {
  const queue = await context.queue();
  const awaited = new AwaitedJobs(context, queue);
  const { read, stage } = await enqueueIntake(context, queue, arriving.overrides);
  const bulk = new Bulk(context, arriving.progress);
  const staging = await stage((sent) => bulk.showSent(sent));
  try {
    for await (const written of arriving.jobs) {
      const job = readOne(read, { ...written, raw: awaited.withGroup(written.raw) });
      awaited.note(job);
      if (bulk.add(job, written)) await staging.add(bulk.take());
    }
    await staging.add(bulk.take());
    if (bulk.total === 0) throw arriving.nothing;
    awaited.check();
    bulk.settle(await staging.commit(), staging.instead);
  } catch (error) {
    throw bulk.locate(error);
  } finally {
    context.terminal.progress('');
    await staging.discard();
  }
  if (!isAwaited(context, queue)) return answer(context, queue, bulk, arriving.suffix ?? '');
  const result = await awaited.wait(context, queue, bulk.total - bulk.existing, bulk.existing);
  return context.options.has('print-id') ? { ...result, text: bulk.ids.join('\n') } : result;
}

/** Prints one job like a job from an argument, and several jobs as a count, unless IDs or JSON are requested. */
async function answer(
  context: EnqueueContext,
  queue: AnyQueue,
  { total, existing, ids }: Bulk,
  suffix: string,
): Promise<Result> {
  if (context.terminal.json) return writeJson(context, queue, ids);
  if (context.options.has('print-id')) return { text: ids.join('\n') };
  const [only] = total === 1 && existing === 0 ? await queue.getAll(ids) : [];
  if (only) return { text: `${only.id}  ${enqueuedText(only)}${suffix}` };
  return { text: manyArrivedText(total - existing, existing, suffix) };
}

/** Reads the jobs in pages, because there may be millions. */
async function writeJson({ terminal }: Context, queue: AnyQueue, ids: readonly string[]): Promise<Result> {
  const writer = jsonWriter(terminal);
  for (let at = 0; at < ids.length; at += READ_BACK) {
    writer.write(await queue.getAll(ids.slice(at, at + READ_BACK)), false);
  }
  writer.end();
  return {};
}

function readOne(read: (raw: unknown) => NewJob, { raw, unit, number }: Written): NewJob {
  try {
    return read(raw);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    const details = { where: `${unit} ${number}`, problem: error.message, hint: error.hint ?? '' };
    throw new QueueError('invalid_input', details);
  }
}

/** The jobs read so far, and their progress. */
class Bulk {
  total = 0;
  private readonly context: Context;
  private readonly progress: () => number | null;
  /** Only the first ID, unless IDs are printed: there may be millions. */
  ids: string[] = [];
  /** The number of jobs not enqueued, because a job with the same unique key exists. */
  existing = 0;
  private readonly keepsIds: boolean;
  private batch: NewJob[] = [];
  /** From job `from` on, job n is at line n + shift. The shift changes only at blank lines. */
  private readonly shifts: { readonly from: number; readonly shift: number }[] = [];
  private unit = 'line';
  private readonly startedAt = performance.now();
  private shownAt = this.startedAt;

  constructor(context: EnqueueContext, progress: () => number | null) {
    this.context = context;
    this.progress = progress;
    this.keepsIds = context.options.has('print-id') || context.terminal.json;
  }

  /** Returns whether the batch is full. */
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

  settle(enqueued: number, instead: ReadonlyMap<string, string>): void {
    this.existing = this.total - enqueued;
    if (instead.size > 0) this.ids = this.ids.map((id) => instead.get(id) ?? id);
  }

  /** Adds the line of the job to errors about an existing ID or an interrupted enqueue. */
  locate(error: unknown): unknown {
    if (!(error instanceof QueueError)) return error;
    const { code, details } = error;
    if (code === 'enqueue_incomplete')
      return new QueueError(code, { ...details, where: this.place(Number(details.jobs) + 1) }, { cause: error });
    if (code !== 'job_exists') return error;
    const where = ` (${this.place(Number(details.position))}); nothing was enqueued`;
    return new QueueError(code, { ...details, where }, { cause: error });
  }

  private place(position: number): string {
    const shift = this.shifts.findLast(({ from }) => from <= position)?.shift ?? 0;
    return `${this.unit} ${position + shift}`;
  }

  showSent(jobs: number): void {
    const share = Math.floor((jobs / Math.max(1, this.total)) * 100);
    this.context.terminal.progress(`${share} %  ${count(jobs)} of ${count(this.total)} jobs sent`);
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
