// Exports a queue as lines of a file, in bounded memory. The queue may be in use: jobs are written as they are read,
// and running ones as if they had been requeued.

import type { ClaimedJob } from '../job/lifecycle.ts';
import { plan } from '../job/lifecycle.ts';
import { isRunning } from '../job/state-sets.ts';
import type { Job } from '../job/job.ts';
import { NO_OUTPUT_TEXT, recordOf, recordText } from '../job/output/output.ts';
import { AttemptOutput } from '../output/attempt-output.ts';
import { writtenBy } from '../output/relocate.ts';
import type { Cells, CopiedAttempt, CopiedJob, JobFilter } from '../store/store.ts';
import { Environments } from './environments.ts';
import {
  type Counts,
  counted,
  FORMAT,
  type Header,
  type Line,
  NO_COUNTS,
  type PortableCells,
  portable,
  type TransferQueue,
} from './format.ts';
import { chunksOf } from './output-chunks.ts';

const BATCH = 500;
const ADVANCE = 500;

export interface Wanted {
  readonly history: boolean;
  readonly outputs: boolean;
  /** Null exports all jobs and the queue's own tables. */
  readonly filter: JobFilter | null;
}

/** Counts of what an export omits because it grants access. */
export interface LeftOut {
  readonly users: number;
  readonly tokens: number;
  readonly secrets: number;
}

export interface Exported extends Counts {
  /** Included in the rows. */
  readonly schedules: number;
  readonly left_out: LeftOut;
  /** Number of running jobs, which were written as if requeued. */
  readonly running: number;
}

/** Receives lines. A slow receiver returns a promise, which is awaited. */
export type Out = (line: string) => void | Promise<void>;

export async function exportQueue(
  queue: TransferQueue,
  wanted: Wanted,
  write: Out,
  progress: (jobs: number) => void,
): Promise<Exported> {
  await processEndings(queue);
  const exporter = new Exporter(queue, wanted, write);
  await exporter.header();
  if (wanted.filter === null) await exporter.queueItself();
  await exporter.jobs(progress);
  return exporter.end();
}

/** Processes pending endings first, because they are not exported. A read-only queue stays as it is. */
async function processEndings({ store }: TransferQueue): Promise<void> {
  try {
    while ((await store.dependencies.advance(ADVANCE)).more);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'store_read_only') throw error;
  }
}

class Exporter {
  private readonly queue: TransferQueue;
  private readonly wanted: Wanted;
  private readonly out: Out;
  private readonly environments = new Environments();
  private readonly now: number;
  private counts: Counts = NO_COUNTS;
  private running = 0;
  private schedules = 0;
  private leftOut: LeftOut = { users: 0, tokens: 0, secrets: 0 };

  constructor(queue: TransferQueue, wanted: Wanted, out: Out) {
    this.queue = queue;
    this.wanted = wanted;
    this.out = out;
    this.now = queue.now();
  }

  async header(): Promise<void> {
    const { history, outputs, filter } = this.wanted;
    const header: Header = {
      format: FORMAT,
      schema: this.queue.store.schemaVersion,
      exported_at: new Date(this.now).toISOString(),
      database: this.queue.place.name,
      history,
      outputs,
      filter,
    };
    await this.write({ queuectl: header });
  }

  async queueItself(): Promise<void> {
    const settings = Object.entries(await this.queue.store.settings());
    for (const [key, value] of settings.sort()) await this.write({ setting: { key, value: value ?? null } });
    const tables = await this.queue.store.copyTablesOut();
    this.schedules = tables.schedules?.length ?? 0;
    this.leftOut = await leftOutOf(this.queue);
    for (const [table, rows] of Object.entries(tables))
      for (const cells of rows) await this.write({ table, row: portable(table, cells) });
  }

  async jobs(progress: (jobs: number) => void): Promise<void> {
    for (let after = 0; ; ) {
      const batch = await this.queue.store.copyOut(after, BATCH, this.wanted.filter ?? {});
      for (const job of batch) await this.job(job);
      progress(this.counts.jobs);
      if (batch.length < BATCH) return;
      after = Number(batch.at(-1)?.job.seq);
    }
  }

  async end(): Promise<Exported> {
    const { counts, schedules, running, leftOut: left_out } = this;
    const exported = { ...counts, schedules, running, left_out };
    await this.out(`${JSON.stringify({ end: exported })}\n`);
    return exported;
  }

  private async job({ job, environment, attempts, rows }: CopiedJob): Promise<void> {
    const isRequeued = isRunning(job.state as Job['state']);
    if (isRequeued) this.running++;
    const slot = environment === null ? undefined : await this.environment(environment);
    await this.write({
      job: portable('jobs', isRequeued ? asRequeued(job, this.now) : job),
      ...(slot === undefined ? {} : { environment: slot }),
      ...rowsOf(rows),
      ...(await this.stdinOf(job)),
    });
    if (!this.wanted.history) return;
    for (const attempt of attempts) await this.attempt(job, attempt);
  }

  private async stdinOf(job: Cells): Promise<{ stdin?: string }> {
    if (job.stdin_bytes === null) return {};
    const data = await this.queue.store.stdinOf(Number(job.seq));
    return data === null ? {} : { stdin: Buffer.from(data).toString('base64') };
  }

  private async environment(text: string): Promise<number> {
    const { slot, isNew } = this.environments.slotOf(text);
    if (isNew) await this.write({ environment: slot, variables: text });
    return slot;
  }

  private async attempt(job: Cells, { cells }: CopiedAttempt): Promise<void> {
    const hasEnded = cells.ended_at !== null;
    const isWhole = this.wanted.outputs && hasEnded;
    const output = isWhole ? portableRecord(cells.output) : NO_OUTPUT_TEXT;
    await this.write({
      attempt: portable('attempts', { ...(hasEnded ? cells : cutOff(cells, this.now)), output }),
    });
    if (!isWhole) return;
    const written = new AttemptOutput(this.queue.store, String(job.id), writtenBy(cells));
    for await (const { from, data } of chunksOf(written.parts()))
      await this.write({ output: data.toString('base64'), from });
  }

  private write(line: Line): void | Promise<void> {
    this.counts = counted(this.counts, line);
    return this.out(`${JSON.stringify(line)}\n`);
  }
}

async function leftOutOf({ store: { accounts, texts } }: TransferQueue): Promise<LeftOut> {
  const [users, tokens, secrets] = [await accounts.users(), await accounts.tokens(), await texts.secrets.all()];
  return { users: users.length, tokens: tokens.length, secrets: secrets.length };
}

/** Returns the job as it would be after a forced stop of its worker. */
function asRequeued(job: Cells, now: number): Cells {
  const held: ClaimedJob = {
    attempts: Number(job.attempts),
    interruptions: Number(job.interruptions),
    interruptionsInRow: Number(job.interruptions_in_row),
    maxRetries: Number(job.max_retries),
    backoffBase: null,
    backoffStrategy: null,
    outcomeRules: null,
    snoozes: Number(job.snoozes),
    cancelRequestedAt: job.cancel_requested_at as number | null,
  };
  const ending = { outcome: 'released', exitCode: null, signal: null, error: null, durationMs: 0 } as const;
  const policy = { strategy: 'fixed', base: 0, maxSeconds: 0, jitter: 0 } as const;
  const { state, attempts, nextRunAt, finishedAt } = plan(held, ending, policy, now, 0);
  return { ...job, state, attempts, next_run_at: nextRunAt, finished_at: finishedAt };
}

const cutOff = (cells: Cells, now: number): Cells => ({
  ...cells,
  ended_at: now,
  outcome: 'released',
  error: 'the job was running during the export',
});

/** Drops file positions, which are meaningless on another machine. */
function portableRecord(text: unknown): string | null {
  const record = recordOf(text === null ? null : String(text));
  return record && recordText({ ...record, headAt: 0, tailAt: 0 });
}

function rowsOf(rows: CopiedJob['rows']): { rows?: Record<string, PortableCells[]> } {
  const some = Object.entries(rows).filter(([, list]) => list.length > 0);
  if (some.length === 0) return {};
  return {
    rows: Object.fromEntries(some.map(([table, list]) => [table, list.map((cells) => portable(table, cells))])),
  };
}
