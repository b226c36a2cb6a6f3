// Imports the lines of an export into a queue. The whole file is checked first; then jobs are stored in atomic batches.
// Existing jobs are not changed. An interrupted import can be resumed with `skipExisting`.

import { QueueError } from '../errors/errors.ts';
import { newJobId } from '../job/id.ts';
import type { Job } from '../job/job.ts';
import { readinessOf, READINESS } from '../job/readiness.ts';
import { isClaimable } from '../job/state-sets.ts';
import { relocated } from '../output/relocate.ts';
import { randomBytes } from '../system/random.ts';
import type { Cells, CopiedAttempt, CopiedJob } from '../store/store.ts';
import { logPathsFor } from '../worker/control/paths.ts';
import { BadLine, Checker } from './check.ts';
import { type Columns, filled } from './check-cells.ts';
import { policyProblem, withoutDelivery } from './check-policy.ts';
import type { PortableCells, TransferQueue } from './format.ts';
import { ImportedOutput, type OutputLines } from './imported-output.ts';
import type { FileLine, LineFile } from './line-file.ts';
import { hashOf, SeenIds } from './seen-ids.ts';

const BATCH = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const LINK = 500;
const ASK = 1000;

export interface ImportOptions {
  /** Skips jobs whose ID exists; otherwise they make the import fail. */
  readonly skipExisting: boolean;
  /** Skips settings, groups and the queue's other tables. */
  readonly jobsOnly: boolean;
}

export interface Imported {
  readonly jobs: number;
  readonly attempts: number;
  readonly settings: number;
  readonly schedules: number;
  /** Number of jobs that already existed. */
  readonly skipped: number;
}

/** `share` is from 0 to 1. */
export type ImportProgress = (doing: 'sent' | 'checked' | 'imported', share: number) => void | Promise<void>;

/** Closes the file. An error thrown by `progress` aborts the import. */
export async function importFile(
  queue: TransferQueue,
  file: LineFile,
  shownAs: string,
  options: ImportOptions,
  progress: ImportProgress,
): Promise<Imported> {
  try {
    const columns = await queue.store.copiedColumns();
    const isHeld = await check(queue, file, columns, options, progress);
    return await new Importer(queue, file, columns, options, progress, isHeld).run();
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    throw new QueueError('invalid_export', { path: shownAs, problem: error.message, hint: error.hint });
  } finally {
    file.close();
  }
}

/** Returns true if the queue has a policy. */
async function check(
  queue: TransferQueue,
  file: LineFile,
  columns: Columns,
  { skipExisting }: ImportOptions,
  progress: ImportProgress,
): Promise<boolean> {
  const checker = new Checker(columns, queue.store.schemaVersion);
  const problemWithPolicy = await policyProblem(queue);
  const seen = new SeenIds();
  const ids: string[] = [];
  for (const line of file.lines()) {
    if (line.number % ASK === 0) await progress('checked', line.to / file.size);
    const said = checker.take(line);
    if (!('job' in said)) continue;
    const problem = problemWithPolicy?.(said.job as PortableCells);
    if (problem) throw new BadLine(`line ${line.number}: job '${checker.lastId}' is not allowed here: ${problem}`);
    seen.add(checker.lastId);
    if (!skipExisting) ids.push(checker.lastId);
    if (ids.length >= ASK) await expectFree(queue, ids.splice(0));
  }
  checker.end();
  await expectFree(queue, ids);
  expectOnce(file, seen.twice());
  return problemWithPolicy !== null;
}

async function expectFree(queue: TransferQueue, ids: readonly string[]): Promise<void> {
  const [id] = ids.length === 0 ? [] : await queue.store.takenIds(ids);
  if (id !== undefined)
    throw new QueueError('job_exists', {
      id,
      where: '; nothing was imported (use --skip-existing to skip such jobs)',
    });
}

function expectOnce(file: LineFile, twice: ReadonlySet<number>): void {
  if (twice.size === 0) return;
  const first = new Map<string, number>();
  for (const { text, number } of file.lines()) {
    const { job } = JSON.parse(text) as { job?: { id: string } };
    if (!job || !twice.has(hashOf(job.id))) continue;
    const before = first.get(job.id);
    if (before !== undefined) throw new BadLine(`line ${number}: job '${job.id}' already appears on line ${before}`);
    first.set(job.id, number);
  }
}

/** A job being imported, with the attempts read so far. */
interface Draft {
  readonly job: PortableCells;
  readonly environment: string | null;
  readonly rows: Readonly<Record<string, readonly PortableCells[]>>;
  readonly attempts: { readonly cells: PortableCells; lines: OutputLines }[];
  /** Standard input, as base64. */
  readonly stdin: string | null;
}

class Importer {
  private readonly queue: TransferQueue;
  private readonly file: LineFile;
  private readonly columns: Columns;
  private readonly options: ImportOptions;
  private readonly progress: ImportProgress;
  private readonly isHeldToPolicy: boolean;
  private readonly logPath: (id: string, number: number) => string;
  private readonly slots = new Map<number, string>();
  private tables: Record<string, Cells[]> = {};
  private readonly settings: [string, string | number | null][] = [];
  private drafts: Draft[] = [];
  private bytes = 0;
  private done = { jobs: 0, attempts: 0, settings: 0, schedules: 0, skipped: 0 };

  constructor(
    queue: TransferQueue,
    file: LineFile,
    columns: Columns,
    options: ImportOptions,
    progress: ImportProgress,
    isHeldToPolicy: boolean,
  ) {
    this.isHeldToPolicy = isHeldToPolicy;
    this.queue = queue;
    this.file = file;
    this.columns = columns;
    this.options = options;
    this.progress = progress;
    this.logPath = logPathsFor(queue.place, newJobId(randomBytes)); // no worker has this ID
  }

  async run(): Promise<Imported> {
    try {
      for (const line of this.file.lines()) {
        const said = JSON.parse(line.text) as Record<string, unknown>;
        if ('job' in said && this.done.jobs === 0) await this.importTables();
        if ('job' in said && this.isBatchFull) await this.flush(line.from);
        this.take(said, line);
      }
      await this.importTables();
      await this.flush(this.file.size);
      while ((await this.queue.store.linkImported(LINK)).more);
      await this.importSettings();
    } catch (error) {
      throw this.done.jobs === 0 ? error : this.incomplete(error);
    }
    return this.done;
  }

  private incomplete(error: unknown): QueueError {
    const { jobs } = this.done;
    return new QueueError('import_incomplete', { jobs, problem: (error as Error).message }, { cause: error });
  }

  private get isBatchFull(): boolean {
    return this.drafts.length >= BATCH || this.bytes > BATCH_BYTES;
  }

  private take(said: Record<string, unknown>, { from, to }: FileLine): void {
    if ('output' in said) this.takeOutput(said, from, to);
    else this.bytes += to - from;
    if ('variables' in said) this.slots.set(Number(said.environment), String(said.variables));
    if ('job' in said) this.takeJob(said);
    if ('attempt' in said)
      this.drafts.at(-1)?.attempts.push({ cells: said.attempt as PortableCells, lines: { from: to, to, bytes: 0 } });
    if ('row' in said) this.takeRow(String(said.table), said.row as PortableCells);
    if ('setting' in said) {
      const { key, value } = said.setting as { key: string; value: string | number | null };
      this.settings.push([key, value]);
    }
  }

  private takeJob({ job, environment, rows = {}, stdin = null }: Record<string, unknown>): void {
    this.drafts.push({
      job: this.isHeldToPolicy ? withoutDelivery(job as PortableCells) : (job as PortableCells),
      environment: environment === undefined ? null : (this.slots.get(Number(environment)) ?? null),
      rows: rows as Draft['rows'],
      attempts: [],
      stdin: stdin as string | null,
    });
  }

  private takeOutput({ from, output }: Record<string, unknown>, lineFrom: number, lineTo: number): void {
    const attempt = this.drafts.at(-1)?.attempts.at(-1);
    if (!attempt) return;
    const bytes = Number(from) + Buffer.byteLength(String(output), 'base64');
    const begin = attempt.lines.bytes === 0 ? lineFrom : attempt.lines.from;
    attempt.lines = { from: begin, to: lineTo, bytes };
  }

  private takeRow(table: string, cells: PortableCells): void {
    const rows = this.tables[table] ?? [];
    rows.push(filled(this.columns, table, cells));
    this.tables[table] = rows;
  }

  private async flush(readUpTo: number): Promise<void> {
    const drafts = await this.wanted();
    const jobs: CopiedJob[] = [];
    for (const draft of drafts) jobs.push(await this.placed(draft));
    await this.queue.store.importJobs(jobs);
    this.done.jobs += jobs.length;
    this.done.attempts += jobs.reduce((sum, { attempts }) => sum + attempts.length, 0);
    this.done.skipped += this.drafts.length - drafts.length;
    [this.drafts, this.bytes] = [[], 0];
    await this.progress('imported', readUpTo / this.file.size);
  }

  private async wanted(): Promise<Draft[]> {
    if (!this.options.skipExisting || this.drafts.length === 0) return this.drafts;
    const taken = new Set(await this.queue.store.takenIds(this.drafts.map(({ job }) => String(job.id))));
    return this.drafts.filter(({ job }) => !taken.has(String(job.id)));
  }

  /** Returns the job for the store, with its output where this queue keeps it. */
  private placed(draft: Draft): Promise<CopiedJob> {
    const lines = new Map<CopiedAttempt, OutputLines>();
    const attempts = draft.attempts.map((attempt) => {
      const copied = { cells: { ...filled(this.columns, 'attempts', attempt.cells), log_path: '' } };
      lines.set(copied, attempt.lines);
      return copied;
    });
    const job = {
      job: this.jobCells(draft.job),
      environment: draft.environment,
      attempts,
      rows: this.rowsOf(draft),
      stdin: stdinIn(draft),
    };
    const outputOf = (_: CopiedJob, attempt: CopiedAttempt) =>
      new ImportedOutput(this.file, attempt.cells.output, lines.get(attempt) ?? { from: 0, to: 0, bytes: 0 });
    return relocated(this.queue, job, outputOf, this.logPath);
  }

  /** Recomputes readiness, because the gate of the old queue is meaningless here. */
  private jobCells(given: PortableCells): Cells {
    const cells = filled(this.columns, 'jobs', given);
    const waiting = { nextRunAt: cells.next_run_at as number | null, held: cells.held as string | null };
    const ready = isClaimable(cells.state as Job['state'])
      ? readinessOf(waiting, this.queue.now())
      : READINESS.waitsForTime;
    return { ...cells, ready, waits_at: null };
  }

  private rowsOf({ rows }: Draft): CopiedJob['rows'] {
    const tables = Object.entries(rows).map(([table, list]) => [
      table,
      list.map((cells) => filled(this.columns, table, cells)),
    ]);
    return Object.fromEntries(tables);
  }

  /** Imported before the first job, so that its group exists with its properties. */
  private async importTables(): Promise<void> {
    const { tables } = this;
    this.tables = {};
    if (Object.keys(tables).length === 0 || this.options.jobsOnly) return;
    const before = await this.countSchedules();
    await this.queue.store.importTables(tables);
    this.done.schedules += (await this.countSchedules()) - before;
  }

  /** Existing schedules keep their names and are not replaced. */
  private async countSchedules(): Promise<number> {
    return (await this.queue.store.schedules.all()).length;
  }

  private async importSettings(): Promise<void> {
    if (this.options.jobsOnly) return;
    const { store } = this.queue;
    const known = await store.settings();
    for (const [key, value] of this.settings) {
      if (known[key] !== undefined) continue;
      await store.saveSetting(key, value);
      this.done.settings++;
    }
  }
}

const stdinIn = ({ stdin }: Draft): CopiedJob['stdin'] =>
  stdin === null ? undefined : async () => Buffer.from(stdin, 'base64');
