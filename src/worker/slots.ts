// The running attempts of a worker, and reports that have not reached the store yet.

import type { Ending, JobState } from '../job/job.ts';
import { judged } from '../job/outcome-rules.ts';
import { endingOfMalformed } from '../job/record.ts';
import { removeJournal } from '../process/output/journal-files.ts';
import { type Leader, leaseMark } from '../process/tree/tree.ts';
import type { Claimed, EndReport, Lease, ProgressReport, Settled, Started, Task } from '../store/store.ts';
import { RunningAttempt } from './attempt/attempt.ts';
import type { AttemptContext } from './attempt/attempt-context.ts';
import type { EndReason } from './attempt/attempt-ending.ts';
import { MemorySamples } from './attempt/memory-samples.ts';
import type { Noted } from './tracing.ts';

export interface Reports {
  readonly started: readonly Started[];
  readonly progress: readonly ProgressReport[];
  readonly ended: readonly EndReport[];
}

export const NO_REPORTS: Reports = { started: [], progress: [], ended: [] };

export interface SlotsEvents {
  log(line: string): void;
  /** There is something to report. */
  changed(): void;
  /**
   * A job is about to start, has started, or has ended and its remaining processes may stay. Identified by their marks.
   */
  begins(lease: string): void;
  started(lease: string, leader: Leader): void;
  ended(lease: string): void;
  /** The machine is short of a resource, so further starts would fail too. */
  shortage(problem: string): void;
}

/** A start is reported separately only if the job is still running then; its process tree is also found by its mark. */
const REPORT_START_AFTER_MS = 25;

export class Slots {
  private readonly context: AttemptContext;
  private readonly events: SlotsEvents;
  private readonly running = new Map<string, RunningAttempt>();
  private readonly memory = new MemorySamples();
  /** Attempts with unreported starts, oldest first. */
  private fresh: RunningAttempt[] = [];
  private started: Started[] = [];
  private progress: ProgressReport[] = [];
  private ended: EndReport[] = [];
  /** Work after the store has recorded an ending, by lease: a journal to remove, a trace to send. */
  private readonly leftToDo = new Map<string, { journal: string | null; noted: Noted | undefined }>();

  constructor(context: AttemptContext, events: SlotsEvents) {
    this.context = context;
    this.events = events;
  }

  get count(): number {
    return this.running.size;
  }

  /** Number of slots taken, by weight. */
  get taken(): number {
    return this.running.values().reduce((sum, { claimed }) => sum + claimed.weight, 0);
  }

  /** Running jobs. */
  get jobs(): Iterable<Task> {
    return this.running.values().map(({ claimed }) => claimed.job);
  }

  /** True if nothing runs and nothing is left to report. */
  get isIdle(): boolean {
    return this.running.size === 0 && this.ended.length === 0;
  }

  start(claimed: Claimed): void {
    if (claimed.malformed === undefined) this.run(claimed);
    else this.reject(claimed, claimed.malformed);
  }

  private run(claimed: Claimed): void {
    try {
      this.events.begins(this.markOf(claimed));
      const attempt = RunningAttempt.start(claimed, this.context);
      this.running.set(key(claimed), attempt);
      this.noteCompany();
      this.fresh.push(attempt);
      this.events.log(`started    ${claimed.job.id}  attempt ${claimed.job.attempts}`);
      void attempt.begun.then((pid) => this.tellGuard(attempt, pid));
      void attempt.ended.then((report) => this.finish(attempt, report));
    } catch (error) {
      // The log could not be opened, or the worker was stalled and another one may hold the job.
      this.events.ended(this.markOf(claimed));
      const problem = `could not start: ${(error as Error).message}`;
      this.report(claimed, { ending: requeued(problem) });
      this.events.shortage(`job ${claimed.job.id} ${problem}`);
      this.events.changed();
    }
  }

  /** Requeues a claimed job without running it. */
  requeue(claimed: Claimed, reason: string): void {
    this.report(claimed, { ending: requeued(reason) });
    this.events.changed();
  }

  /** Time until the next start has to be reported. */
  get untilStartReportMs(): number {
    const [oldest] = this.fresh;
    return oldest === undefined ? Number.POSITIVE_INFINITY : REPORT_START_AFTER_MS - oldest.ageMs;
  }

  /** Returns the pending reports; the caller returns them with restoreReports() if the store fails. */
  takeReports(): Reports {
    this.noteStarts();
    const { started, progress, ended } = this;
    [this.started, this.progress, this.ended] = [[], [], []];
    return { started, progress, ended };
  }

  /** Called after the store has recorded the reports and their output. */
  reported({ progress, ended }: Reports, settled: readonly Settled[]): void {
    for (const report of progress) this.running.get(key(report))?.report.recorded(report);
    const states = new Map(settled.map((one) => [key(one), one.state]));
    for (const lease of ended.map(key)) this.recorded(lease, states.get(lease) ?? null);
  }

  /** If the lease was lost, the worker that holds it now sends the trace. */
  private recorded(lease: string, state: JobState | null): void {
    const { journal = null, noted } = this.leftToDo.get(lease) ?? {};
    this.leftToDo.delete(lease);
    if (journal !== null) removeJournal(journal);
    if (noted && state !== null) this.context.tracer()?.settled(noted, state);
  }

  /** Drops progress: the next beat reads it again, or a newer value. */
  restoreReports(reports: Reports): void {
    this.started.unshift(...reports.started);
    this.ended.unshift(...reports.ended);
  }

  end(lease: Lease, reason: EndReason): void {
    void this.running.get(key(lease))?.end(reason);
  }

  endAll(reason: EndReason, graceMs?: number): void {
    for (const attempt of this.running.values()) void attempt.end(reason, graceMs);
  }

  /** Kills the remaining processes of all attempts at once. */
  async killAll(): Promise<void> {
    await Promise.all([...this.running.values()].map((attempt) => attempt.kill()));
  }

  /** Handles the loss of all leases: nothing is reported. Resolves when nothing runs any more. */
  async loseAll(): Promise<void> {
    this.takeReports();
    this.leftToDo.clear();
    this.endAll('lost');
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Compares with the leases in the store: stops jobs that were lost, and requeues jobs that are not running. */
  reconcile(leases: readonly Lease[]): void {
    const held = new Set(leases.map(key));
    for (const [lease, attempt] of this.running) if (!held.has(lease)) void attempt.end('lost');
    const known = new Set([...this.running.keys(), ...this.ended.map(key)]);
    for (const { seq, run } of leases) {
      if (!known.has(`${seq}/${run}`))
        this.ended.push({
          seq,
          run,
          ending: requeued('the worker claimed the job but does not run it'),
        });
    }
  }

  /** Tells a guard that was started late about running jobs. */
  introduceTo(guard: Pick<SlotsEvents, 'begins' | 'started'>): void {
    for (const { mark, leader } of this.running.values()) {
      guard.begins(mark);
      if (leader) guard.started(mark, leader);
    }
  }

  /** Called once a second: collects progress and copies output. */
  beat(): void {
    this.copyLogs();
    this.memory.beat(this.running.values());
    this.progress = [...this.running.values()].flatMap(({ claimed: { seq, run }, report }) => {
      const { news } = report;
      return news === null ? [] : [{ seq, run, ...news }];
    });
    if (this.progress.length > 0) this.events.changed();
  }

  private copyLogs(): void {
    const open = [...this.running.values()].filter(({ isClosing }) => !isClosing);
    this.context.mirror?.beat(open.map(({ claimed, log }) => ({ lease: claimed, log })));
  }

  private noteStarts(): void {
    this.fresh = this.fresh.filter((attempt) => {
      if (!this.running.has(key(attempt.claimed))) return false;
      const leader = attempt.ageMs < REPORT_START_AFTER_MS ? null : attempt.leader;
      if (leader === null) return true;
      const { seq, run } = attempt.claimed;
      this.started.push({ seq, run, pid: leader.pid, pidStartedAt: leader.startedAt });
      this.events.started(attempt.mark, leader);
      return false;
    });
  }

  /** Called at once, because the job may drop its mark immediately. Its start time follows if it keeps running. */
  private tellGuard({ mark }: RunningAttempt, pid: number | null): void {
    if (pid !== null) this.events.started(mark, { pid, startedAt: null });
  }

  /** Orphans belong to a job if it is the only one running. */
  private noteCompany(): void {
    if (this.running.size > 2) return; // none of them is alone, and none was before
    const isAlone = this.running.size === 1;
    for (const attempt of this.running.values()) attempt.isAlone = isAlone;
  }

  private markOf(claimed: Claimed): string {
    return leaseMark(this.context.workerId, claimed);
  }

  /** Rejects a job with an unreadable record; other jobs continue. */
  private reject(claimed: Claimed, problem: string): void {
    this.report(claimed, { ending: endingOfMalformed(problem) });
    this.events.changed();
  }

  private finish(attempt: RunningAttempt, report: EndReport | null): void {
    const { claimed, mark } = attempt;
    this.running.delete(key(claimed));
    this.noteCompany();
    this.events.ended(mark);
    if (report && attempt.isShortage) this.events.shortage(`job ${claimed.job.id} ${report.ending.error}`);
    if (report) this.report(claimed, report, attempt.journal);
    this.events.changed();
  }

  private report(claimed: Claimed, end: Omit<EndReport, keyof Lease>, journal: string | null = null): void {
    const { seq, run, job } = claimed;
    const ending = judged(end.ending, job.outcomeRules);
    this.ended.push({ ...end, seq, run });
    this.leftToDo.set(key(claimed), { journal, noted: this.context.tracer()?.note(claimed, ending) });
    this.events.log(`${ending.outcome.padEnd(10)} ${job.id}  ${ending.error ?? `took ${ending.durationMs} ms`}`);
  }
}

const requeued = (error: string): Ending => ({
  outcome: 'released',
  exitCode: null,
  signal: null,
  error,
  durationMs: 0,
});

const key = (lease: Lease): string => `${lease.seq}/${lease.run}`;
