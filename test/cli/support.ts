// bin/queuectl as a user runs it: real processes, each test on a queue of its own.
// A test that leaves a process behind fails, and the process is ended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { statusOf, statusToJson } from '../../src/report/status.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { makeQueueFile } from '../support/new-queue-file.ts';
import { addressWith, emptySchema } from '../support/postgres.ts';
import { end, leftAfter } from '../support/processes.ts';
import { isAnotherProgram, programUnderTest } from '../support/program.ts';
import { until } from '../support/until.ts';
import { namesFiles, needsNoProcess, runInProcess } from './in-process.ts';
import { rejectionOf, type Result, type Started, watch } from './started.ts';

export { rejectionOf, type Result, type Started } from './started.ts';

export const QUEUECTL = programUnderTest();

/** Set to its address, queues are on a server and not in files. */
export const ON_SERVER = 'QUEUECTL_TEST_ON_SERVER';

const LEAVES_WITHIN_MS = 5_000;
const NOBODY = 65_534;

export interface Options {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Not as root, whom no file mode stops. */
  readonly unprivileged?: boolean;
  /** A command that the program is given to, and that becomes it. */
  readonly through?: readonly string[];
}

export type Document = Record<string, unknown>;

interface Ending {
  after(work: () => void | Promise<void>): void;
}

/** A queue in a folder of its own, and the command that works on it. */
export function newQueue(t: Ending): TestQueue {
  const queue = new TestQueue(newFolder());
  t.after(async () => {
    try {
      await queue.expectNoProcesses();
      await queue.giveBack();
    } finally {
      removeFolder(queue.folder);
    }
  });
  return queue;
}

let hasDrained = false;

/** Schemas that tests have given back, empty: to make another takes longer. */
const freeSchemas: string[] = [];

export class TestQueue {
  /** The test's own folder: commands run here, and everything they make is in it. */
  readonly folder: string;
  readonly home: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly schema: string;

  constructor(folder: string) {
    this.folder = folder;
    this.schema = freeSchemas.pop() ?? path.basename(folder);
    this.home = path.join(folder, 'home');
    this.environment = { ...withoutQueue(process.env), ...this.place };
  }

  /** What names the queue: a home of its own, and a schema where the tests run on a server. */
  get place(): NodeJS.ProcessEnv {
    const server = process.env[ON_SERVER];
    return {
      QUEUECTL_HOME: this.home,
      ...(server && { QUEUECTL_DB: addressWith(server, { schema: this.schema }) }),
    };
  }

  /** Once nobody uses the queue any more: another test may have its schema. */
  async giveBack(): Promise<void> {
    const server = process.env[ON_SERVER];
    if (!server) return;
    await emptySchema(server, this.schema);
    freeSchemas.push(this.schema);
  }

  /** Runs a command to its end. */
  run(args: readonly string[], options: Options = {}): Promise<Result> {
    const like = process.env[ON_SERVER] ? 'on PostgreSQL' : 'options';
    if (isPlain(options) && needsNoProcess(args, like)) return this.inProcess(args);
    return this.start(args, options).ended;
  }

  /** Starts a command that goes on. */
  start(args: readonly string[], options: Options = {}): Started {
    return this.startProgram(QUEUECTL, args, options);
  }

  /** A shell line; `queuectl` in it is ours. */
  sh(line: string, options: Options = {}): Promise<Result> {
    return this.startProgram('/bin/sh', ['-c', line], options).ended;
  }

  /** A shell line on a terminal of this width, stdout and stderr both; `input` is what a person types. */
  onTerminal(columns: number, line: string, options: Options = {}): Promise<Result> {
    return this.startOnTerminal(columns, line, options).ended;
  }

  /** The same, for a command that goes on. */
  startOnTerminal(columns: number, line: string, options: Options = {}): Started {
    const sized = `stty cols ${columns} rows 50; ${line}`;
    const env = { SHELL: '/bin/sh', TERM: 'xterm-256color', ...options.env };
    return this.startProgram('script', ['-qec', sized, '/dev/null'], { ...options, env });
  }

  /** The text of a command that must succeed and say nothing on stderr. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  }

  /** The one JSON document that a command prints. */
  async json<T = Document>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '--json')) as T;
  }

  /**
   * The sentence and the hint of a command that must be rejected: nothing on stdout, no stack trace. How a command rejects as a
   * program is seen the first time; what it rejects is asked of it in the process of the test.
   */
  async rejected(code: number, args: readonly string[], options: Options = {}): Promise<string> {
    if (!isPlain(options) || !needsNoProcess(args, 'rejected')) return this.rejectedAsProgram(code, args, options);
    return rejectionOf(code, args, await this.inProcess(args));
  }

  async rejectedAsProgram(code: number, args: readonly string[], options: Options = {}): Promise<string> {
    return rejectionOf(code, args, await this.start(args, options).ended);
  }

  /** Runs it in the process of the test. */
  async inProcess(args: readonly string[], env: Options['env'] = {}): Promise<Result> {
    const answer = await runInProcess(args, this.environmentWith(env), fs.realpathSync(this.folder));
    return { ...answer, signal: null };
  }

  /** What a command prints that must succeed and say nothing on stderr: one that prepares a test or looks, in its process. */
  async prepare(...args: string[]): Promise<string> {
    if (isAnotherProgram() || namesFiles(args)) return this.text(...args);
    const { code, stdout, stderr } = await this.inProcess(args);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  }

  /** The same as data. */
  async look<T = Document>(...args: string[]): Promise<T> {
    return JSON.parse(await this.prepare(...args, '--json')) as T;
  }

  async enqueue(...args: string[]): Promise<string> {
    await this.makeFile();
    return (await this.prepare('enqueue', '--print-id', ...args)).trimEnd();
  }

  /** For tests of how a job gets from the shell into the queue. */
  async enqueueAsProgram(...args: string[]): Promise<string> {
    return (await this.text('enqueue', '--print-id', ...args)).trimEnd();
  }

  /** Enqueues a job and sees it end: completed, or dead when its command fails. */
  async finished(...args: string[]): Promise<string> {
    const id = await this.enqueue('--max-retries', '0', ...args);
    await this.drain();
    return id;
  }

  /** Runs what is there, until nothing is left to do: the first time in a file as a program, then in its process. */
  async drain(): Promise<void> {
    if (!hasDrained || isAnotherProgram()) return this.drainAsProgram();
    const { drain } = await import('./drain.ts');
    await this.watching(drain);
  }

  async drainAsProgram(): Promise<void> {
    hasDrained = true;
    const { code, stderr } = await this.run(['worker', 'run', '--drain']);
    assert.equal(code, 0, stderr);
  }

  jobs(...args: string[]): Promise<Document[]> {
    return this.look<Document[]>('list', ...args);
  }

  async count(): Promise<number> {
    return (await this.jobs('--limit', '0')).length;
  }

  show(id: string): Promise<Document> {
    return this.look('show', id);
  }

  async untilState(id: string, state: string): Promise<Document> {
    await this.watching((queue) => until(`${id} ${state}`, async () => (await queue.find(id)).state === state));
    return this.show(id);
  }

  /** A worker in the foreground; `leave` sees it off. */
  async worker(...args: string[]): Promise<Worker> {
    const started = await this.watching(async (queue) => {
      const active = async (): Promise<number> => Number(statusToJson(await statusOf(queue)).active_workers);
      const before = await active();
      const one = this.start(['worker', 'run', ...args]);
      await until('the worker is registered', async () => (await active()) > before);
      return one;
    });
    const leave = async (): Promise<Result> => {
      started.kill('SIGTERM');
      return started.ended;
    };
    return { ...started, leave };
  }

  /** Every path below the folder, for a look at what was left there. */
  files(): string[] {
    return fs.readdirSync(this.folder, { recursive: true, encoding: 'utf8' }).sort();
  }

  write(name: string, content: string | Buffer): string {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, content);
    return file;
  }

  get db(): string {
    return path.join(this.home, 'queue.db');
  }

  /** The queue before its first use, where it is a file. */
  async makeFile(): Promise<void> {
    if (!process.env[ON_SERVER]) await makeQueueFile(this.db);
  }

  async expectNoProcesses(): Promise<void> {
    const left = await leftAfter(this.folder, LEAVES_WITHIN_MS);
    for (const { pid } of left) end(pid);
    assert.deepEqual(
      left.map(({ command }) => command),
      [],
      'processes were left behind',
    );
  }

  /** With the queue open for many looks. */
  private async watching<T>(work: (queue: Queue) => Promise<T>): Promise<T> {
    const queue = await Queue.open({ environment: this.environmentWith({}), cwd: this.folder });
    try {
      return await work(queue);
    } finally {
      await queue.close();
    }
  }

  private startProgram(program: string, args: readonly string[], options: Options): Started {
    const { input, env, cwd = this.folder, unprivileged, through = [] } = options;
    const [first = program, ...rest] = [...through, program, ...args];
    const child = spawn(first, rest, {
      cwd,
      env: this.environmentWith(env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(unprivileged && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    child.stdin?.on('error', () => {}); // it may end without having read all
    child.stdin?.end(input);
    return watch(child, args);
  }

  private environmentWith(env: Options['env']): NodeJS.ProcessEnv {
    const PATH = `${path.dirname(QUEUECTL)}:${this.environment.PATH}`;
    const given = { ...this.environment, PATH, ...env };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  }
}

const isPlain = (options: Options): boolean => Object.keys(options).length === 0;

export interface Worker extends Started {
  readonly leave: () => Promise<Result>;
}

/** The tests may themselves run in a job, or on a machine where queuectl is set up. */
function withoutQueue(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOurs = (name: string) =>
    /^(QUEUECTL_|NODE_|OTEL_|TRACE|XDG_DATA_HOME$|NO_COLOR$|FORCE_COLOR$|COLUMNS$)/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOurs(name)));
}

/** Whether there is a `script` that can make a terminal for onTerminal(). */
export const hasTerminals =
  process.platform === 'linux' && ['/usr/bin/script', '/bin/script'].some((file) => fs.existsSync(file));
