// One attempt from claim to ending: start the command, receive its output, watch the clock, end it when told to.

import type { Ending } from '../job/job.ts';
import type { EndedOutput } from '../job/output.ts';
import { Capture } from '../process/capture.ts';
import { type Exit, type Launch, type Launched, launch } from '../process/launch.ts';
import { AttemptLog } from '../process/log.ts';
import type { Lines } from '../process/log-file.ts';
import { endLine, howItEnded, startLine } from '../process/log-lines.ts';
import type { Pipes } from '../process/pipe.ts';
import { processEntry, ticksNow } from '../process/proc.ts';
import type { Starter } from '../process/start.ts';
import { endTree, leaseMark, type Leader } from '../process/tree.ts';
import type { Settings } from '../settings/settings.ts';
import type { Claimed, Lease } from '../store/store.ts';
import { AttemptTimers } from './attempt-timers.ts';
import { launchConfined } from './confined.ts';
import type { EndReport } from './end-report.ts';
import { Inside, type LastWords } from './inside.ts';
import { jobVariables, workingFolder } from './job-variables.ts';
import type { Mirror } from './mirror.ts';
import { launchWithInput } from './stdin.ts';
import type { Tracer } from './tracing.ts';
import { commandFor, webhookVariables } from './webhook.ts';

/** Why we end a job that would run on. 'lost': somebody else has it by now, and speaks for it. */
export type EndReason = 'timeout' | 'cancelled' | 'stopped' | 'cut_off' | 'lost';

export interface AttemptContext {
  readonly workerId: string;
  readonly db: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: () => Settings;
  readonly now: () => number;
  /** Until when the lease cannot have been lost: a process that was frozen must not start what others run by now. */
  readonly notAfterMs: () => number;
  /** Whether others may have ended what runs here: we stood still, or could not renew, for too long. */
  readonly hasRunOut: () => boolean;
  readonly starter: Starter;
  /** Whether orphans of jobs come to this process, and nothing else does. */
  readonly adoptsOrphans: boolean;
  readonly pipes: Pipes;
  /** Handed all output as it comes, when somebody watches; it is only lent. */
  readonly watch?: ((data: Buffer) => void) | undefined;
  /** The program and arguments that deliver a webhook, or null. */
  readonly webhook: readonly string[] | null;
  /** Where logs are copied to, or null: nobody else could want to read them. */
  readonly mirror: Mirror | null;
  /** What a job that has a standard input of its own is to read. */
  readonly stdinOf: (lease: Lease) => Promise<Uint8Array | null>;
  /** Who tells others of attempts, or null. */
  readonly tracer: () => Tracer | null;
}

/** A job that has not ended by then is read as it writes; one that has is read when it has ended. */
const READ_AFTER_MS = 25;

export class RunningAttempt {
  readonly claimed: Claimed;
  /** null: the lease was lost, so there is nothing to report. */
  readonly ended: Promise<EndReport | null>;
  /** null: not yet, or it could not be started. */
  pid: number | null = null;
  /** By which its process is told from a later one of the same pid; null: it could not be read in time. */
  private startedAs: string | null = null;
  /** It has ended, and its log is being closed. */
  isClosing = false;
  private readonly context: AttemptContext;
  readonly log: AttemptLog;
  /** What the job says of itself. */
  readonly inside: Inside;
  private readonly capture: Capture;
  private readonly launched: Launched;
  private readonly startedAt = performance.now();
  private reason: EndReason | null = null;
  private ending: Promise<void> | null = null;
  private aloneSince: string | null = null;
  private hasExited = false;
  /** Somebody else may have ended it. */
  private isInDoubt = false;
  private readonly timers: AttemptTimers;
  private readonly readTimer: NodeJS.Timeout;

  constructor(claimed: Claimed, context: AttemptContext) {
    const { job, logPath } = claimed;
    this.claimed = claimed;
    this.context = context;
    const limit = (): number => context.settings().number('log_max_bytes');
    this.log = new AttemptLog({ path: logPath, limit, now: context.now, watch: context.watch });
    this.inside = new Inside(logPath, job.outcomeRules?.snoozeCode != null);
    this.capture = new Capture(context.pipes, job.splitOutput, (data, stream) => {
      this.log.add(data, stream);
      this.inside.add(data, stream);
    });
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
    const start: Launch = {
      command: commandFor(job.command, context.webhook),
      shell: String(context.settings().value('shell')),
      cwd: job.cwd,
      inherited: claimed.environment ?? context.environment,
      own: {
        ...workingFolder(job),
        ...job.env,
        ...context.tracer()?.variables(claimed),
        ...webhookVariables(job.command, context.settings()),
        ...jobVariables(claimed, context),
        ...this.inside.variables,
      },
      outputs: this.capture.outputs,
      notAfterMs: context.notAfterMs(),
    };
    if (job.stdinBytes === null) return this.begin(start);
    return launchWithInput(start, (whole) => this.begin(whole), logPath, context.stdinOf(claimed));
  }

  private begin(start: Launch): Launched {
    const { context, claimed } = this;
    const { confinement } = claimed.job;
    if (confinement === null) return launch(start, context.starter);
    const surroundings = { settings: context.settings(), logPath: claimed.logPath };
    return launchConfined(start, context.starter, confinement, surroundings);
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  get runningPid(): number | null {
    return this.hasExited ? null : this.pid;
  }

  timeOut(): void {
    void this.end('timeout');
  }

  /** Its pid, as soon as it runs; null: it could not be started. */
  get begun(): Promise<number | null> {
    return this.launched.pid;
  }

  /** Asked of the system when it is needed first, which for most jobs is never: until we wait for it, its pid is its own. */
  get leader(): Leader | null {
    if (this.pid === null) return null;
    if (!this.hasExited) this.startedAs ??= startOf(this.pid);
    else if (this.startedAs === null) return null; // by now it may be somebody else's
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
    // One that has come to its own end just now keeps it.
    if (reason === 'lost' || (this.reason === null && this.isRunning)) this.reason = reason;
    if (reason === 'cut_off') this.isInDoubt = true;
    this.ending ??= this.endTree(graceMs);
    return this.ending;
  }

  /** Ends what is left of it at once. */
  kill(): Promise<void> {
    return this.endTree(0);
  }

  private async endTree(graceMs: number): Promise<void> {
    await this.launched.pid;
    const { leader, aloneSince } = this;
    const orphansSince = aloneSince === 'its start' ? (leader?.startedAt ?? null) : aloneSince;
    await endTree({ leader, lease: this.mark, orphansSince }, graceMs);
  }

  /** One that is about to start counts: if it cannot be started, that is said first. */
  private get isRunning(): boolean {
    try {
      return this.pid === null || processEntry(this.pid) !== null;
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
      clearTimeout(this.readTimer);
      this.capture.end();
      if (this.reason === 'lost') return this.inside.discard(); // somebody else speaks for it now
      const words = this.inside.finish();
      const ending = this.endingOf(exit, words);
      const output = await this.finishOutput(ending);
      return this.reportOf(ending, words, output, exit.isShortage ?? false);
    } finally {
      this.log.close();
    }
  }

  private reportOf(
    ending: Ending,
    { progress, result }: LastWords,
    output: EndedOutput,
    isShortage: boolean,
  ): EndReport {
    const { seq, run, logPath } = this.claimed;
    const journal = this.log.hasJournal ? logPath : undefined;
    return { seq, run, ending, pid: this.pid, output, progress, result, journal, isShortage };
  }

  private endingOf(exit: Exit, { retryAfterSeconds, remark }: LastWords): Ending {
    const durationMs = Math.round(performance.now() - this.startedAt);
    const ending = { ...this.outcomeOf(exit), durationMs, retryAfterSeconds, remark };
    return { ...ending, error: withLastLine(ending, this.log) };
  }

  private async finishOutput(ending: Ending): Promise<EndedOutput> {
    const finish = (): EndedOutput => this.log.finish(this.linesAround(ending));
    return this.context.mirror ? this.context.mirror.finish(this.claimed, this.log, finish) : finish();
  }

  private linesAround(ending: Ending): Lines {
    const { command, attempts } = this.claimed.job;
    const at = this.context.now();
    return {
      start: startLine({ number: attempts, command, startedAt: at - ending.durationMs }),
      end: endLine({ at, how: howItEnded(ending) }),
    };
  }

  /** What we ended, or somebody else may have, is not booked as the job's own failure. */
  private outcomeOf(exit: Exit): Exit {
    if (this.reason !== null && this.reason !== 'lost')
      return { ...exit, ...ENDED_BECAUSE[this.reason](this.claimed) };
    const hasFailed = exit.outcome === 'failed' || exit.outcome === 'signalled';
    return hasFailed && this.isInDoubt
      ? { ...exit, outcome: 'released', error: 'it ended while its worker stood still' }
      : exit;
  }
}

/** null: it could not be read. The process runs all the same, and must not be taken for one that does not. */
function startOf(pid: number): string | null {
  try {
    return processEntry(pid)?.startedAt ?? null;
  } catch {
    return null;
  }
}

const ENDED_BECAUSE: Record<
  Exclude<EndReason, 'lost'>,
  (claimed: Claimed) => Pick<Ending, 'outcome' | 'error'>
> = {
  timeout: ({ job }) => ({ outcome: 'timeout', error: `timeout after ${job.timeoutSeconds} s` }),
  cancelled: () => ({ outcome: 'cancelled', error: 'cancelled while running' }),
  stopped: () => ({ outcome: 'released', error: 'its worker was stopped' }),
  cut_off: () => ({ outcome: 'released', error: 'its worker could not reach the queue in time' }),
};

/** "exit code 2: convert: no such file" says more than "exit code 2". */
function withLastLine(ending: Ending, log: AttemptLog): string | null {
  if (ending.outcome !== 'failed' && ending.outcome !== 'signalled') return ending.error;
  const line = log.lastLine();
  return line === null ? ending.error : `${ending.error}: ${line}`;
}
