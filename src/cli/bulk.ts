// Many jobs on their way in: batches, progress, and where in the input each one stood.

import { QueueError } from '../errors.ts';
import type { NewJob } from '../job/job.ts';
import type { Context, Result } from './command.ts';
import type { Written } from './input.ts';
import { count, many } from './render/human.ts';

const BATCH = 5000;
const PROGRESS_EVERY_MS = 200;

export class Bulk {
  total = 0;
  private readonly context: Context;
  private readonly progress: () => number | null;
  /** Kept only when they are to be printed: there may be millions. */
  private readonly ids: string[] | null;
  private batch: NewJob[] = [];
  /** Job n stands at line n + shift from the given job on: it changes only at blank lines. */
  private readonly shifts: { readonly from: number; readonly shift: number }[] = [];
  private unit = 'line';
  private readonly startedAt = performance.now();
  private shownAt = this.startedAt;

  constructor(context: Context, progress: () => number | null) {
    this.context = context;
    this.progress = progress;
    this.ids = context.options.has('print-id') || context.terminal.json ? [] : null;
  }

  /** Answers whether the batch is full. */
  add(job: NewJob, written: Written): boolean {
    this.total++;
    this.batch.push(job);
    this.ids?.push(job.id);
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

  result(): Result {
    const data = { enqueued: this.total, ids: this.ids };
    if (this.context.options.has('print-id')) return { data, text: this.ids?.join('\n') ?? '' };
    return { data, text: `${many(this.total, 'job')} enqueued` };
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
