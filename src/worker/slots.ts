// The attempts a worker runs, and what it has yet to tell the store about them.

import type { Ending } from '../job/job.ts';
import { removeJournal } from '../process/journal-files.ts';
import type { Claimed, Ended, Lease, Started } from '../store/store.ts';
import { type AttemptContext, type EndReason, type Finished, RunningAttempt } from './attempt.ts';

export interface Reports {
  readonly started: readonly Started[];
  readonly ended: readonly EndReport[];
}

interface EndReport extends Ended {
  /** Where it wrote while it ran, when that is not needed any more once this is reported. */
  readonly journal?: string | undefined;
}

export interface SlotsEvents {
  log(line: string): void;
  /** Something is there to report. */
  changed(): void;
  /** A job is about to be started; one has ended, and what it left behind may stay. */
  begins(jobId: string): void;
  ended(jobId: string): void;
  /** The machine is short of something; starting more would fail too. */
  shortage(problem: string): void;
}

/** A start is worth a write of its own only when the job is not over by then; its tree is found by its mark too. */
const REPORT_START_AFTER_MS = 25;

export class Slots {
  private readonly context: AttemptContext;
  private readonly events: SlotsEvents;
  private readonly running = new Map<string, RunningAttempt>();
  /** Their starts are not reported yet; the oldest first. */
  private fresh: RunningAttempt[] = [];
  private started: Started[] = [];
  private ended: EndReport[] = [];

  constructor(context: AttemptContext, events: SlotsEvents) {
    this.context = context;
    this.events = events;
  }

  get count(): number {
    return this.running.size;
  }

  /** Nothing runs and nothing is left to report. */
  get isIdle(): boolean {
    return this.running.size === 0 && this.ended.length === 0;
  }

  start(claimed: Claimed): void {
    try {
      this.events.begins(claimed.job.id);
      const attempt = new RunningAttempt(claimed, this.context);
      this.running.set(key(claimed), attempt);
      this.fresh.push(attempt);
      this.events.log(`started    ${claimed.job.id}  attempt ${claimed.job.attempts}`);
      void attempt.ended.then((finished) => this.finish(attempt, finished));
    } catch (error) {
      // Its log could not be opened, or we stood still for so long that it may be somebody else's by now.
      this.events.ended(claimed.job.id);
      this.report(claimed, { ending: putBack(`could not start: ${(error as Error).message}`) });
      this.events.changed();
    }
  }

  /** When there will be a start to report, if nothing else happens before. */
  get untilStartReportMs(): number {
    const [oldest] = this.fresh;
    return oldest === undefined ? Number.POSITIVE_INFINITY : REPORT_START_AFTER_MS - oldest.ageMs;
  }

  /** Hands over what is to be reported; it is the caller's until given back. */
  takeReports(): Reports {
    this.noteStarts();
    const { started, ended } = this;
    [this.started, this.ended] = [[], []];
    return { started, ended };
  }

  /** The store has them now, and with them what is recorded of their output. */
  reported({ ended }: Reports): void {
    for (const { journal } of ended) if (journal !== undefined) removeJournal(journal);
  }

  giveBack(reports: Reports): void {
    this.started.unshift(...reports.started);
    this.ended.unshift(...reports.ended);
  }

  end(lease: Lease, reason: EndReason): void {
    void this.running.get(key(lease))?.end(reason);
  }

  endAll(reason: EndReason, graceMs?: number): void {
    for (const attempt of this.running.values()) void attempt.end(reason, graceMs);
  }

  /** The leases were all lost: nothing that happened here is ours to report. */
  loseAll(): void {
    this.takeReports();
    this.endAll('lost');
  }

  /** Compares with what the store says is held: ends what was lost, puts back what nobody runs. */
  reconcile(leases: readonly Lease[]): void {
    const held = new Set(leases.map(key));
    for (const [lease, attempt] of this.running) if (!held.has(lease)) void attempt.end('lost');
    const known = new Set([...this.running.keys(), ...this.ended.map(key)]);
    for (const { seq, number } of leases) {
      if (!known.has(`${seq}/${number}`))
        this.ended.push({
          seq,
          number,
          ending: putBack('it was taken by its worker, which does not run it'),
        });
    }
  }

  copyLogs(): void {
    const open = [...this.running.values()].filter(({ isClosing }) => !isClosing);
    this.context.mirror?.beat(open.map(({ claimed, log }) => ({ lease: claimed, log })));
  }

  private noteStarts(): void {
    this.fresh = this.fresh.filter((attempt) => {
      if (!this.running.has(key(attempt.claimed))) return false;
      const started = attempt.ageMs < REPORT_START_AFTER_MS ? null : attempt.started;
      if (started) this.started.push(started);
      return started === null;
    });
  }

  private finish(attempt: RunningAttempt, finished: Finished | null): void {
    const { claimed, pid } = attempt;
    this.running.delete(key(claimed));
    this.events.ended(claimed.job.id);
    if (finished) {
      const journal = attempt.log.hasJournal ? claimed.logPath : undefined;
      this.report(claimed, { ...finished, pid, journal });
    }
    this.events.changed();
  }

  private report({ seq, number, job }: Claimed, end: Omit<EndReport, keyof Lease>): void {
    const { ending } = end;
    this.ended.push({ seq, number, ...end });
    this.events.log(
      `${ending.outcome.padEnd(10)} ${job.id}  ${ending.error ?? `took ${ending.durationMs} ms`}`,
    );
    if (ending.outcome === 'released' && ending.error?.startsWith('could not start'))
      this.events.shortage(`job ${job.id} ${ending.error}`);
  }
}

const putBack = (error: string): Ending => ({
  outcome: 'released',
  exitCode: null,
  signal: null,
  error,
  durationMs: 0,
});

const key = (lease: Lease): string => `${lease.seq}/${lease.number}`;
