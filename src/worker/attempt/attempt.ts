// One attempt from claim to ending: start the command, receive its output, watch the clock, end it when told to.

import type { Ending } from '../../job/job.ts';
import type { OutputReport } from '../../job/output/output.ts';
import { joinedUsage, type Usage, usageFrom } from '../../job/usage.ts';
import { Capture, type Receive } from '../../process/output/capture.ts';
import type { Exit } from '../../process/spawn/exit.ts';
import type { Launch, Launched } from '../../process/spawn/launch.ts';
import { AttemptLog } from '../../process/output/log.ts';
import type { Lines } from '../../process/output/log-file.ts';
import { endLine, howItEnded, startLine } from '../../process/output/log-lines.ts';
import { processEntry, startedAtOf, ticksNow } from '../../process/tree/proc.ts';
import type { SecretSource } from '../../isolation/isolate.ts';
import { endTree, leaseMark, type Leader, signalTree, type Tree } from '../../process/tree/tree.ts';
import type { Claimed, EndReport } from '../../store/store.ts';
import type { AttemptContext } from './attempt-context.ts';
import { ENDED_BECAUSE, type EndReason, withLastLine } from './attempt-ending.ts';
import { AttemptTimers } from './attempt-timers.ts';
import { type Confining, confiningOf, launchAs } from './isolated.ts';
import { Inside, type LastWords } from './inside.ts';
import { filesApart } from '../../process/output/attempt-files.ts';
import { inheritedBy, jobVariables, workingFolder } from './job-variables.ts';
import { FIRST_SAMPLE_MS } from './memory-samples.ts';
import { type JobPass, passFor } from '../job-socket/job-passes.ts';
import { Masking } from './masking.ts';
import { launchIfAllowed } from './start-check.ts';
import { launchWithInput } from './stdin.ts';
import { deliveryOf } from './webhook.ts';

/** A job that has not ended by then is read as it writes; one that has is read when it has ended. */
const READ_AFTER_MS = 25;

export class RunningAttempt {
  readonly claimed: Claimed;
  /** null: the lease was lost, so there is nothing to report. */
  readonly ended: Promise<EndReport | null>;
  /** null: not yet, or it could not be started. */
  pid: number | null = null;
  /** Tells its process from a later one with the same pid; null: it could not be read in time. */
  private startedAs: string | null = null;
  /** It has ended, and its log is being closed. */
  isClosing = false;
  /** It could not be started because the machine is short of something. */
  isShortage = false;
  /** Where it wrote while it ran; of no more use once its end is reported. null: nowhere. */
  journal: string | null = null;
  /** The most memory it was seen to hold, and when to look next. */
  peakBytes = 0;
  nextSampleMs = FIRST_SAMPLE_MS;
  private readonly context: AttemptContext;
  readonly log: AttemptLog;
  /** What the job says of itself. */
  readonly inside: Inside;
  private readonly capture: Capture;
  /** null: it is given no secrets. */
  private readonly masking: Masking | null;
  /** Its own way to the queue; null: it needs none. */
  private readonly pass: JobPass | null;
  private readonly launched: Launched;
  private readonly startedAt = performance.now();
  private reason: EndReason | null = null;
  private ending: Promise<void> | null = null;
  private aloneSince: string | null = null;
  private hasExited = false;
  private isBeingKilled = false;
  /** Somebody else may have ended it. */
  private isInDoubt = false;
  private readonly timers: AttemptTimers;
  private readonly confining: Confining;
  private readonly readTimer: NodeJS.Timeout;

  constructor(claimed: Claimed, context: AttemptContext) {
    const { job, logPath } = claimed;
    this.claimed = claimed;
    this.context = context;
    const limit = (): number => context.settings().number('log_max_bytes');
    this.log = new AttemptLog({ path: logPath, limit, now: context.now, watch: context.watch });
    this.confining = confiningOf(job, context);
    const { isApart, isOtherUser } = this.confining;
    const files = isApart ? filesApart(logPath, isOtherUser) : logPath;
    const receive: Receive = (data, stream) => {
      this.log.add(data, stream);
      this.inside.add(data, stream);
    };
    this.pass = passFor(claimed, this.confining, context, () => this.reason === 'lost');
    const hasSecrets = job.confinement?.secrets !== undefined || this.pass !== null;
    this.masking = hasSecrets ? new Masking(receive, this.pass?.secret) : null;
    this.inside = new Inside(files, job.outcomeRules?.snoozeCode != null, isApart, this.masking);
    this.capture = new Capture(context.pipes, job.splitOutput, this.masking?.receive ?? receive);
    this.launched = this.launch();
    void this.launched.pid.then((pid) => {
      this.pid = pid;
      this.capture.handedOver();
    });
    this.readTimer = setTimeout(() => this.listen(), context.watch ? 0 : READ_AFTER_MS);
    this.timers = new AttemptTimers(job, this);
    this.ended = this.watch();
  }

  private launch(): Launched {
    const { claimed, context } = this;
    const { job, logPath } = claimed;
    const delivery = deliveryOf(claimed, context.webhook, context.environment, context.settings());
    const start: Launch = {
      command: delivery?.command ?? job.command,
      shell: String(context.settings().value('shell')),
      cwd: job.cwd,
      inherited: delivery?.inherited ?? inheritedBy(claimed, context),
      own: {
        ...workingFolder(job),
        ...(delivery?.own ?? job.env),
        ...context.tracer()?.variables(claimed),
        ...jobVariables(claimed, context),
        ...this.inside.variables,
        ...this.pass?.variables,
      },
      outputs: this.capture.outputs,
      notAfterMs: context.notAfterMs(),
    };
    if (job.stdinBytes === null) return this.begin(start);
    return launchWithInput(start, (whole) => this.begin(whole), logPath, context.stdinOf(claimed));
  }

  private begin(start: Launch): Launched {
    const { claimed, context } = this;
    const needs = this.pass?.needs ?? [];
    const own = () => ({ logPath: claimed.logPath, lease: this.mark, vault: this.vault, needs });
    const go = (): Launched => launchAs(this.confining, start, own, context);
    const refusal = context.startCheck(claimed);
    return refusal === null ? go() : launchIfAllowed(refusal, go);
  }

  private get vault(): SecretSource {
    const { claimed, confining, inside, masking } = this;
    const { vault } = this.context;
    return {
      valueOf: vault.valueOf,
      folder: confining.isApart ? inside.folder : vault.folderOf(claimed),
      hide: (values) => masking?.learn(values),
    };
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  /** All of its processes but a leader that only watches: a shell may have started the command, and shells pass no signals on. */
  warn(signal: NodeJS.Signals): void {
    if (this.pid !== null && !this.hasExited) signalTree(this.tree, signal);
  }

  timeOut(): void {
    void this.end('timeout');
  }

  /** Its pid, as soon as it runs; null: it could not be started. */
  get begun(): Promise<number | null> {
    return this.launched.pid;
  }

  /** Read when it is first needed, which for most jobs is never: until we wait for the process, its pid is its own. */
  get leader(): Leader | null {
    if (this.pid === null) return null;
    if (!this.hasExited) this.startedAs ??= startedAtOf(this.pid);
    else if (this.startedAs === null) return null; // by now the pid may belong to another process
    return { pid: this.pid, startedAt: this.startedAs };
  }

  get mark(): string {
    return leaseMark(this.context.workerId, this.claimed);
  }

  /** Whether no other job runs in this process: then orphans that come to it from now on are this job's. */
  set isAlone(isAlone: boolean) {
    if (!isAlone || !this.context.adoptsOrphans) this.aloneSince = null;
    else this.aloneSince ??= this.pid === null ? 'its start' : String(ticksNow());
  }

  /** Ends the whole tree: TERM, grace, KILL. The first reason given is the one recorded; a lost lease beats all. */
  end(reason: EndReason, graceMs = this.context.settings().ms('kill_grace')): Promise<void> {
    if (reason === 'lost' || (this.reason === null && this.isRunning)) this.reason = reason;
    if (reason === 'cut_off') this.isInDoubt = true;
    this.ending ??= this.endTree(graceMs, () => this.keepOwnEnd());
    return this.ending;
  }

  /** Ends what is left of it at once. */
  kill(): Promise<void> {
    this.isBeingKilled = true;
    return this.endTree(0);
  }

  private async endTree(graceMs: number, aboutTo?: () => void): Promise<void> {
    await this.launched.pid;
    await endTree(this.tree, graceMs, aboutTo);
  }

  /** The look for its processes took a moment. If it ended by itself meanwhile, nobody has ended it. */
  private keepOwnEnd(): void {
    if (this.reason !== 'lost' && !this.isBeingKilled && !this.isRunning) this.reason = null;
  }

  get tree(): Tree {
    const { leader, aloneSince, mark: lease } = this;
    const orphansSince = aloneSince === 'its start' ? (leader?.startedAt ?? null) : aloneSince;
    return { leader, lease, orphansSince, isLeaderSpared: this.confining.isSandboxed };
  }

  /** One that is about to start counts: if it cannot be started, that is reported first. */
  private get isRunning(): boolean {
    try {
      return !this.hasExited && (this.pid === null || processEntry(this.pid) !== null);
    } catch {
      return true; // out of files: what cannot be seen may well live
    }
  }

  private listen(): void {
    this.log.lasts();
    this.capture.listen();
  }

  private async watch(): Promise<EndReport | null> {
    const exit = await this.launched.exit;
    this.hasExited = true;
    this.isInDoubt ||= this.context.hasRunOut(); // now: by the time its tree has ended we may be sure again
    this.timers.stop();
    if (exit.outcome === 'released') await this.endTree(0); // not started, as far as we know: make sure of it
    await this.ending; // the leader is gone, but what it started may take its grace period
    return this.close(exit);
  }

  private async close(exit: Exit): Promise<EndReport | null> {
    try {
      this.isClosing = true;
      this.pass?.end();
      clearTimeout(this.readTimer);
      this.capture.end();
      this.masking?.end();
      if (this.reason === 'lost') return this.inside.discard(); // another worker reports it now
      const words = this.inside.finish();
      const ending = this.endingOf(exit, words);
      const output = await this.finishOutput(ending);
      return this.reportOf(ending, words, output, exit);
    } finally {
      this.log.close();
    }
  }

  private reportOf(
    ending: Ending,
    { progress, result }: LastWords,
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

  private endingOf(exit: Exit, { retryAfterSeconds, remark }: LastWords): Ending {
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

  /** If we ended it, or somebody else may have, that is not recorded as the job's own failure. */
  private outcomeOf(exit: Exit): Exit {
    if (this.reason !== null && this.reason !== 'lost')
      return { ...exit, ...ENDED_BECAUSE[this.reason](this.claimed) };
    const hasFailed = exit.outcome === 'failed' || exit.outcome === 'signalled';
    return hasFailed && this.isInDoubt
      ? { ...exit, outcome: 'released', error: 'the job finished while its worker was stalled' }
      : exit;
  }
}
