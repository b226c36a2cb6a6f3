// Plays a scene: shows each command line as a user would type it, runs it, shows what it said, and looks behind the
// curtain through --json. Waiting is on a condition, with a deadline, and shows that it goes on.

import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type JobState } from '../../job/job.ts';
import { duration } from '../render/human.ts';
import { cut } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';
import { expect, type JobSeen } from './expect.ts';
import type { Stage } from './stage.ts';
import { commandLine, USUAL_WIDTH } from './typed.ts';

const LOOK_AGAIN_MS = 50;
const LONGEST_WAIT_MS = 15_000;
const QUIET_MS = 500;
const TICK_MS = 100;
const INDENT = '   ';

export class Player {
  readonly stage: Stage;
  /** The command lines that were shown, in their order. */
  readonly commands: string[] = [];
  private readonly terminal: Terminal;

  constructor(stage: Stage, terminal: Terminal) {
    this.stage = stage;
    this.terminal = terminal;
  }

  /** Types a queuectl command that should succeed. */
  type(...args: readonly string[]): Promise<string> {
    return this.run(args, (exitCode) => exitCode === 0);
  }

  /** Types one that should answer with an exit code other than 0. */
  typeFailing(...args: readonly string[]): Promise<string> {
    return this.run(args, (exitCode) => exitCode !== 0 && exitCode !== null);
  }

  /** Shows something typed that is not queuectl's. */
  shell(line: string, output = ''): void {
    this.show(line);
    this.print(output);
  }

  async job(id: string): Promise<JobSeen> {
    return (await this.ask('show', id)) as JobSeen;
  }

  async ask(...args: readonly string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await this.stage.run([...args, '--json']);
    expect(
      exitCode === 0,
      `queuectl ${args.join(' ')} --json ended with exit code ${exitCode}: ${stderr.trim()}`,
    );
    return JSON.parse(stdout);
  }

  /** The job as soon as it is in this state. */
  untilState(id: string, state: JobState): Promise<JobSeen> {
    return this.showingLife(this.lookUntil(id, state));
  }

  private async run(args: readonly string[], isRight: (exitCode: number | null) => boolean): Promise<string> {
    this.show(commandLine(args));
    const { exitCode, stdout, stderr } = await this.showingLife(this.stage.run(args));
    this.print(stdout + stderr);
    expect(isRight(exitCode), `queuectl ${args[0]} ended with exit code ${exitCode}`);
    return stdout;
  }

  private async lookUntil(id: string, state: JobState): Promise<JobSeen> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const job = await this.job(id);
      if (job.state === state) return job;
      const canChange = !isFinal(job.state) && performance.now() < deadline;
      expect(canChange, `${id} did not become ${state}, it is ${job.state}`);
      await sleep(LOOK_AGAIN_MS);
    }
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
      if (elapsedMs > QUIET_MS)
        this.terminal.progress(this.terminal.style.dim(`${INDENT}… ${duration(elapsedMs)}`));
    } catch {
      // The terminal has gone: whoever waits will learn it and clear the stage.
    }
  }
}
