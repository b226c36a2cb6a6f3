// One attempt, from its start to its ending: captures the output, enforces the timeout, and stops the command on request.

import type { Ending } from '../../job/job.ts';
import type { OutputReport } from '../../job/output/output.ts';
import { MERGED, STDERR } from '../../job/output/output-stamps.ts';
import { joinedUsage, type Usage, usageFrom } from '../../job/usage.ts';
import { exitOfShell } from '../../process/shell/waiting-shell.ts';
import { type Exit, exitOf } from '../../process/spawn/exit.ts';
import type { Launched } from '../../process/spawn/launch.ts';
import type { AttemptLog } from '../../process/output/log.ts';
import type { Lines } from '../../process/output/log-file.ts';
import { endLine, howItEnded, startLine } from '../../process/output/log-lines.ts';
import { processEntry, startedAtOf, ticksNow } from '../../process/tree/proc.ts';
import { endTree, leaseMark, type Leader, signalTree, type Tree } from '../../process/tree/tree.ts';
import type { Claimed, EndReport } from '../../store/store.ts';
import type { AttemptContext } from './attempt-context.ts';
import { ENDED_BECAUSE, type EndReason, withLastLine } from './attempt-ending.ts';
import { AttemptTimers } from './attempt-timers.ts';
import type { FinalReport, JobReport } from './job-report.ts';
import { type AttemptParts, launchAttempt, prepareAttempt } from './launch-attempt.ts';
import { FIRST_SAMPLE_MS } from './memory-samples.ts';

/** Output of longer jobs is read as it arrives; output of shorter ones only when they exit. */
const READ_AFTER_MS = 25;

export class RunningAttempt {
  readonly claimed: Claimed;
  readonly log: AttemptLog;
  readonly report: JobReport;
  /** Resolves to null if the lease was lost and nothing is to be reported. */
  readonly ended: Promise<EndReport | null>;
  /** Null before the start, or if the start failed. */
  pid: number | null = null;
  /** True while the log is being closed after the exit. */
  isClosing = false;
  /** True if the start failed because the machine is short of a resource. */
  isShortage = false;
  /** Journal file used while the job ran; null if none. Obsolete once the ending is reported. */
  journal: string | null = null;
  /** Highest memory sample, and the age at which to take the next one. */
  peakBytes = 0;
  nextSampleMs = FIRST_SAMPLE_MS;
  private readonly parts: AttemptParts;
  private readonly context: AttemptContext;
  private readonly launched: Launched;
  private readonly startedAt: number;
  /**
   * Start time that distinguishes the process from a later one with the same PID; null if it could not be read in time.
   */
  private startedAs: string | null = null;
  private reason: EndReason | null = null;
  private ending: Promise<void> | null = null;
  private aloneSince: string | null = null;
  private hasExited = false;
  private isBeingKilled = false;
  private hasSignalled = false;
  /** True if another process may have stopped the job. */
  private isInDoubt = false;
  private readonly timers: AttemptTimers;
  private readonly readTimer: NodeJS.Timeout;

  /** Throws if the attempt could not be prepared, for example because its log could not be opened. */
  static start(claimed: Claimed, context: AttemptContext): RunningAttempt {
    const startedAt = performance.now();
    let attempt: RunningAttempt | null = null;
    const parts = prepareAttempt(claimed, context, () => attempt?.reason === 'lost');
    attempt = new RunningAttempt(parts, launchAttempt(parts), startedAt);
    return attempt;
  }

  private constructor(parts: AttemptParts, launched: Launched, startedAt: number) {
    const { claimed, context, log, report, capture } = parts;
    this.parts = parts;
    this.claimed = claimed;
    this.context = context;
    this.log = log;
    this.report = report;
    this.launched = launched;
    this.startedAt = startedAt;
    void launched.pid.then((pid) => {
      this.pid = pid;
      capture.handedOver();
    });
    this.readTimer = setTimeout(() => this.listen(), context.watch ? 0 : READ_AFTER_MS);
    this.timers = new AttemptTimers(claimed.job, this);
    this.ended = this.watch();
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  /**
   * Signals all processes except a leader that only watches: the command may run under a shell, and shells do not
   * forward signals.
   */
  warn(signal: NodeJS.Signals): void {
    if (this.pid === null || this.hasExited) return;
    this.hasSignalled = true;
    signalTree(this.tree, signal);
  }

  timeOut(): void {
    void this.end('timeout');
  }

  /** Resolves to the PID once the command runs, or to null if the start failed. */
  get begun(): Promise<number | null> {
    return this.launched.pid;
  }

  /** Read on first use, which most jobs never need. The PID cannot be reused until the process is waited for. */
  get leader(): Leader | null {
    if (this.pid === null) return null;
    if (!this.hasExited) this.startedAs ??= startedAtOf(this.pid);
    else if (this.startedAs === null) return null; // the PID may belong to another process by now
    return { pid: this.pid, startedAt: this.startedAs };
  }

  get mark(): string {
    return leaseMark(this.context.workerId, this.claimed);
  }

  /** True if no other job runs in this process. New orphans of this process then belong to this job. */
  set isAlone(isAlone: boolean) {
    if (!isAlone || !this.context.adoptsOrphans) this.aloneSince = null;
    else this.aloneSince ??= this.pid === null ? 'its start' : String(ticksNow());
  }

  /**
   * Stops the whole process tree: TERM, grace period, KILL. The first reason is recorded, except that a lost lease
   * overrides all.
   */
  end(reason: EndReason, graceMs = this.context.settings().ms('kill_grace')): Promise<void> {
    if (reason === 'lost' || (this.reason === null && this.isRunning)) this.reason = reason;
    if (reason === 'cut_off') this.isInDoubt = true;
    this.ending ??= this.endTree(graceMs, () => this.keepOwnEnd());
    return this.ending;
  }

  /** Kills the remaining processes at once. */
  kill(): Promise<void> {
    this.isBeingKilled = true;
    return this.endTree(0);
  }

  private async endTree(graceMs: number, aboutTo?: () => void): Promise<void> {
    await this.launched.pid;
    this.hasSignalled ||= !this.hasExited;
    await endTree(this.tree, graceMs, aboutTo);
  }

  /** Finding the processes took a moment. If the job exited by itself meanwhile, the worker has not stopped it. */
  private keepOwnEnd(): void {
    if (this.reason !== 'lost' && !this.isBeingKilled && !this.isRunning) this.reason = null;
  }

  get tree(): Tree {
    const { leader, aloneSince, mark: lease } = this;
    const orphansSince = aloneSince === 'its start' ? (leader?.startedAt ?? null) : aloneSince;
    return { leader, lease, orphansSince, isLeaderSpared: this.parts.isolation.isSandboxed };
  }

  /** A job that is about to start counts as running; a failed start is reported first. */
  private get isRunning(): boolean {
    try {
      return !this.hasExited && (this.pid === null || processEntry(this.pid) !== null);
    } catch {
      return true; // out of file descriptors: assume the process is alive
    }
  }

  private listen(): void {
    this.log.lasts();
    this.parts.capture.listen();
  }

  private async watch(): Promise<EndReport | null> {
    const exit = await this.launched.exit;
    this.hasExited = true;
    this.isInDoubt ||= this.context.hasRunOut(); // the lease may be valid again when the tree has ended
    this.timers.stop();
    if (exit.outcome === 'released') await this.endTree(0); // probably not started; make sure
    await this.ending; // the leader has exited, but its children may use their grace period
    return this.close(exit);
  }

  private async close(ended: Exit): Promise<EndReport | null> {
    try {
      const { pass, capture, masking } = this.parts;
      this.isClosing = true;
      pass?.end();
      clearTimeout(this.readTimer);
      capture.end();
      masking?.end();
      if (this.reason === 'lost') return this.report.discard(); // another worker reports the ending
      const exit = this.throughShell(ended);
      const words = this.report.finish();
      const ending = this.endingOf(exit, words);
      const output = await this.finishOutput(ending);
      return this.reportOf(ending, words, output, exit);
    } finally {
      this.log.close();
    }
  }

  /** Reports the exit of the shell that was left out, if any. A signal of this worker would have ended that shell. */
  private throughShell(exit: Exit): Exit {
    if (exit.inShell === undefined) return exit;
    if (this.reason !== null) return exitOf(null, 'SIGTERM', exit.usage);
    if (exit.inShell === null || this.hasSignalled) return exit;
    this.log.add(Buffer.from(exit.inShell.message), this.claimed.job.splitOutput ? STDERR : MERGED);
    return exitOfShell(exit);
  }

  private reportOf(
    ending: Ending,
    { progress, result }: FinalReport,
    output: OutputReport,
    { isShortage = false, usage }: Exit,
  ): EndReport {
    const { seq, run, logPath } = this.claimed;
    this.isShortage = isShortage;
    if (this.log.hasJournal) this.journal = logPath;
    const used = joinedUsage(usage, this.seen);
    return { seq, run, ending, pid: this.pid, output, progress, result, usage: used };
  }

  private get seen(): Usage | null {
    return this.peakBytes === 0 ? null : usageFrom(this.peakBytes, null, null);
  }

  private endingOf(exit: Exit, { retryAfterSeconds, remark }: FinalReport): Ending {
    const durationMs = Math.round(performance.now() - this.startedAt);
    const ending = { ...this.outcomeOf(exit), durationMs, retryAfterSeconds, remark };
    return { ...ending, error: withLastLine(ending, exit, this.log) };
  }

  private async finishOutput(ending: Ending): Promise<OutputReport> {
    const finish = (): OutputReport => this.log.finish(() => this.linesAround(ending));
    return this.context.mirror ? this.context.mirror.finish(this.claimed, this.log, finish) : finish();
  }

  private linesAround(ending: Ending): Lines {
    const { job, run } = this.claimed;
    const at = this.context.now();
    const startedAt = at - ending.durationMs;
    return {
      start: startLine({ number: job.attempts, run, command: job.command, startedAt }),
      end: endLine({ at, how: howItEnded(ending) }),
    };
  }

  /** If the worker or another process stopped the job, this is not recorded as the job's own failure. */
  private outcomeOf(exit: Exit): Exit {
    if (this.reason !== null && this.reason !== 'lost') return { ...exit, ...ENDED_BECAUSE[this.reason](this.claimed) };
    const hasFailed = exit.outcome === 'failed' || exit.outcome === 'signalled';
    return hasFailed && this.isInDoubt
      ? { ...exit, outcome: 'released', error: 'the job finished while its worker was stalled' }
      : exit;
  }
}
