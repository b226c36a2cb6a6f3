// Plays a scene: shows each command line as a user would type it, runs it, shows its output, and reads the state of the
// queue with --json. Waits for conditions with a deadline, and shows progress meanwhile.

import { isFinal } from '../../job/job.ts';
import { shellQuote } from '../../text/shell.ts';
import { duration } from '../render/kit/human.ts';
import { cut } from '../render/kit/text.ts';
import type { Terminal } from '../terminal.ts';
import { expect, type JobSeen, type Look, lookUntil } from './expect.ts';
import type { Stage } from './stage.ts';

const QUIET_MS = 500;
const TICK_MS = 100;
const INDENT = '   ';
const USUAL_WIDTH = 80;
/** The width of the indent and the prompt. */
const MARGIN = 5;

export class Player {
  readonly stage: Stage;
  /** The command lines that were shown. */
  readonly commands: string[] = [];
  private readonly terminal: Terminal;

  constructor(stage: Stage, terminal: Terminal) {
    this.stage = stage;
    this.terminal = terminal;
  }

  /** Runs a queuectl command that should succeed. */
  type(...args: readonly string[]): Promise<string> {
    return this.run(args, (exitCode) => exitCode === 0);
  }

  /** Runs a queuectl command that should fail. */
  typeFailing(...args: readonly string[]): Promise<string> {
    return this.run(args, (exitCode) => exitCode !== 0 && exitCode !== null);
  }

  shell(line: string, output = ''): void {
    this.show(line);
    this.print(output);
  }

  async job(id: string): Promise<JobSeen> {
    return (await this.ask('show', id)) as JobSeen;
  }

  async ask(...args: readonly string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await this.stage.run([...args, '--json']);
    expect(exitCode === 0, `queuectl ${args.join(' ')} --json exited with code ${exitCode}: ${stderr.trim()}`);
    return JSON.parse(stdout);
  }

  /** Waits until the job is running. */
  untilRunning(id: string): Promise<JobSeen> {
    return this.until(`${id} to run`, async () => {
      const job = await this.job(id);
      expect(!isFinal(job.state), `${id} was ${job.state} before it was seen running`);
      return job.state === 'processing' && job;
    });
  }

  /** Waits for the first result of `look` other than false. */
  until<T>(what: string, look: Look<T>): Promise<T> {
    return this.showingLife(lookUntil(what, look));
  }

  private async run(args: readonly string[], isRight: (exitCode: number | null) => boolean): Promise<string> {
    this.show(commandLine(args));
    const { exitCode, stdout, stderr } = await this.showingLife(this.stage.run(args));
    this.print(stdout + stderr);
    expect(isRight(exitCode), `queuectl ${args[0]} exited with code ${exitCode}`);
    return stdout;
  }

  private show(line: string): void {
    const { dim, accent } = this.terminal.style;
    const [first = '', ...more] = line.split('\n');
    this.commands.push(line);
    this.out(`${dim('$')} ${accent(first)}`);
    for (const next of more) this.out(`  ${accent(next)}`);
  }

  private print(output: string): void {
    const width = (this.terminal.width ?? USUAL_WIDTH) - INDENT.length;
    for (const line of output.trimEnd().split('\n')) if (line) this.out(cut(line, width));
  }

  private out(line: string): void {
    if (!this.terminal.json) this.terminal.out(`${INDENT}${line}\n`);
  }

  private showingLife<T>(work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const timer = setInterval(() => this.showProgress(performance.now() - startedAt), TICK_MS);
    return work.finally(() => {
      clearInterval(timer);
      if (performance.now() - startedAt > QUIET_MS) this.terminal.progress('');
    });
  }

  private showProgress(elapsedMs: number): void {
    try {
      if (elapsedMs > QUIET_MS) this.terminal.progress(this.terminal.style.dim(`${INDENT}… ${duration(elapsedMs)}`));
    } catch {
      // The terminal is gone: the waiting code notices this and cleans up.
    }
  }
}

/** Formats a command line as a user would type it: quoted, and broken into two lines if it is long. */
function commandLine(args: readonly string[]): string {
  const words = ['queuectl', ...args.map(shellQuote)];
  const line = words.join(' ');
  const isLong = line.split('\n').some((part) => part.length > USUAL_WIDTH - MARGIN);
  return isLong ? `${words.slice(0, -1).join(' ')} \\\n  ${words.at(-1)}` : line;
}
