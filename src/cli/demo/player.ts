// Plays a scene: shows each command line as a user would type it, runs it, shows what it said, and looks behind the
// curtain through --json. Waiting is on a condition, with a deadline, and shows that it goes on.

import { setTimeout as sleep } from 'node:timers/promises';
import { duration } from '../render/human.ts';
import { cut } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';
import type { Stage } from './stage.ts';

const LOOK_AGAIN_MS = 50;
const LONGEST_WAIT_MS = 15_000;
const QUIET_MS = 500;
const INDENT = '   ';

/** Something did not happen as it should. */
export class Unexpected extends Error {}

export function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Unexpected(otherwise);
}

export interface JobSeen {
  readonly state: string;
  readonly attempts: number;
  readonly interruptions: number;
  readonly run_at: string | null;
  readonly finished_at: string | null;
  readonly locked_by: string | null;
  readonly last_error: string | null;
  readonly history: readonly AttemptSeen[];
}

export interface AttemptSeen {
  readonly worker: string;
  readonly pid: number | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly outcome: string | null;
}

export class Player {
  readonly stage: Stage;
  /** The command lines that were shown, in their order. */
  readonly commands: string[] = [];
  private readonly terminal: Terminal;

  constructor(stage: Stage, terminal: Terminal) {
    this.stage = stage;
    this.terminal = terminal;
  }

  /** Types a queuectl command; ending in another way than `exitCode` is unexpected. */
  async type(args: readonly string[], exitCode = 0): Promise<string> {
    this.show(`queuectl ${args.map(quoted).join(' ')}`);
    const answer = await this.showingLife(this.stage.run(args));
    this.print(answer.stdout + answer.stderr);
    expect(answer.exitCode === exitCode, `queuectl ${args[0]} ended with exit code ${answer.exitCode}`);
    return answer.stdout;
  }

  /** Shows something typed that is not queuectl's. */
  shell(line: string, output = ''): void {
    this.show(line);
    this.print(output);
  }

  async job(id: string): Promise<JobSeen> {
    return (await this.ask(['show', id])) as JobSeen;
  }

  async ask(args: readonly string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await this.stage.run([...args, '--json']);
    expect(
      exitCode === 0,
      `queuectl ${args.join(' ')} --json ended with exit code ${exitCode}: ${stderr.trim()}`,
    );
    return JSON.parse(stdout);
  }

  /** The job as soon as it is in this state. */
  untilState(id: string, state: string): Promise<JobSeen> {
    return this.showingLife(this.lookUntil(id, state));
  }

  line(text = ''): void {
    if (!this.terminal.json) this.terminal.out(`${text && INDENT}${text}\n`);
  }

  private async lookUntil(id: string, state: string): Promise<JobSeen> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const job = await this.job(id);
      if (job.state === state) return job;
      expect(performance.now() < deadline, `${id} did not become ${state}, it is ${job.state}`);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  private show(line: string): void {
    this.commands.push(line);
    const { dim, accent } = this.terminal.style;
    const [first = '', ...more] = line.split('\n');
    this.line(`${dim('$')} ${accent(first)}`);
    for (const next of more) this.line(accent(next));
  }

  private print(output: string): void {
    const width = (this.terminal.width ?? 80) - INDENT.length;
    for (const line of output.trimEnd().split('\n')) if (line) this.line(cut(line, width));
  }

  private async showingLife<T>(work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - startedAt;
      if (elapsedMs > QUIET_MS) this.terminal.progress(`${INDENT}… ${duration(elapsedMs)}`);
    }, 100);
    return work.finally(() => {
      clearInterval(timer);
      this.terminal.progress('');
    });
  }
}

/** As it would be typed; line breaks stay, they are for the reader. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
