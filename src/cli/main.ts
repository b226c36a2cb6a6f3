// The entry point of the CLI: finds the command, runs it, and prints its result or its error. Only this file uses argv,
// signals and the exit code.

import { errorKinds, QueueError, usageError } from '../errors/errors.ts';
import { keepInheritedFilesFromChildren } from '../process/spawn/inherited-files.ts';
import { nearest } from '../text/nearest.ts';
import { placeOf } from '../store/location.ts';
import type { AnyQueue } from '../queue/interface.ts';
import { isMissingDefault, Queue } from '../queue/queue.ts';
import { type Command, type Context, GLOBAL_OPTIONS, type Options, type OptionSpecs, type Result } from './command.ts';
import { type NamedLine, namedLine, unknownCommand, verbsOf } from './command-name.ts';
import { parseLine } from './options/options.ts';
import { serverFrom } from './options/server-option.ts';
import { oneLineJson } from './render/kit/one-line.ts';
import { ClosedPipe, type Terminal, terminalFor } from './terminal.ts';

/** The surroundings of a command: its process, or a replacement in tests. */
export interface ProcessContext {
  readonly environment: NodeJS.ProcessEnv;
  terminal(json: boolean): Terminal;
  /** Returns null if the directory was deleted. Commands that do not need it still work. */
  cwd(): string | null;
  readonly onInterrupt: Context['onInterrupt'];
  /** Called with the queue that the command has opened. */
  leave(queue: AnyQueue): Promise<void>;
}

const ownProcess: ProcessContext = {
  environment: process.env,
  terminal: (json) => terminalFor(json, process.env),
  cwd: currentFolder,
  onInterrupt,
  leave: (queue) => queue.leave(),
};

/** Runs one command line and returns the exit code. */
export async function main(
  argv: readonly string[] = process.argv.slice(2),
  around: ProcessContext = ownProcess,
): Promise<number> {
  const terminal = around.terminal(wantsJson(argv, around.environment));
  try {
    return await dispatch(argv, terminal, around);
  } catch (error) {
    return fail(error, terminal, around.environment);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal, around: ProcessContext): Promise<number> {
  const { name, rest, load } = isOftenUsed(argv) ? lineOfEnqueue(argv) : namedLine(argv);
  if (wantsVersion(name, argv)) return printVersion(terminal);
  if (!load) return overviewOrError(name, rest, terminal, around);
  const { command } = await load();
  const { args, exact, options } = parseLine(command, rest);
  if (options.has('help')) {
    const { commandHelp } = await import('./render/help.ts');
    return print({ text: commandHelp(command, terminal.style, args[0]) }, terminal);
  }
  const startsChildren = !isOftenUsed(argv) || options.has('work');
  if (startsChildren && around === ownProcess) keepInheritedFilesFromChildren('close');
  return run(command, { args, exact, options }, terminal, around);
}

/** Scripts run enqueue in loops, so it starts without loading the table of all commands. */
const isOftenUsed = (argv: readonly string[]): boolean => argv[0] === 'enqueue';

const lineOfEnqueue = (argv: readonly string[]): NamedLine => ({
  name: 'enqueue',
  rest: argv.slice(1),
  load: () => import('./commands/enqueue.ts'),
});

async function run(
  command: Command,
  line: ReturnType<typeof parseLine>,
  terminal: Terminal,
  { environment, leave, onInterrupt, ...around }: ProcessContext,
): Promise<number> {
  let opened: Promise<AnyQueue> | undefined;
  const cwd = around.cwd();
  const db = line.options.text('db');
  const server = serverFrom(line.options, environment);
  if (server !== null && command.localOnly) throw notOverHttp(command);
  const create = createsQueue(command, line.options, () => placeOf(db, environment).isNamed);
  const open = (): Promise<Queue> => Queue.open({ db, environment, cwd, shellEnvironment: environment, create });
  const isMissing = (): boolean => !create && server === null && isMissingDefault(placeOf(db, environment));
  let wasMissing = false;
  const context: Context<OptionSpecs> = {
    ...line,
    terminal,
    environment,
    cwd,
    queue: () => {
      if (wasMissing && !isMissing()) opened = undefined; // created since; commands with --watch show it
      wasMissing = isMissing();
      opened ??= server === null ? open() : remoteQueue(server, environment, cwd, terminal);
      return opened;
    },
    localQueue: async () => {
      const { local } = await context.queue();
      if (local === null) throw notOverHttp(command);
      return local;
    },
    call: async (...request) => {
      const { callOn } = await import('./call.ts');
      return callOn(await context.queue(), ...request);
    },
    onInterrupt,
  };
  try {
    const result = await command.run(context);
    const local = command.recorded && (await opened)?.local;
    if (local) {
      const { recordCommand } = await import('./record.ts');
      await recordCommand(command, context, local, result);
    }
    return print(result, terminal);
  } finally {
    await opened?.then(leave).catch(() => {});
  }
}

/** With --dry-run, no queue is created; with --read-only, only the default one. */
function createsQueue(command: Command, options: Options<OptionSpecs>, isNamed: () => boolean): boolean {
  if (!command.createsQueue || options.has('dry-run')) return false;
  return !(options.has('read-only') && isNamed());
}

async function remoteQueue(
  address: string,
  environment: NodeJS.ProcessEnv,
  cwd: string | null,
  terminal: Terminal,
): Promise<AnyQueue> {
  const { openRemote } = await import('../remote/open-remote.ts');
  const notice = (sentence: string): void => terminal.notice(sentence);
  return openRemote({ address, environment, cwd, notice });
}

const notOverHttp = ({ name, localOnly }: Command): QueueError =>
  new QueueError('not_over_http', { command: name, hint: localOnly ?? RUN_LOCALLY });

const RUN_LOCALLY = 'run the command next to the database: without --server and QUEUECTL_SERVER, or with --db';

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

const INTERRUPTS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

function onInterrupt(
  listener: (count: number, signal: NodeJS.Signals) => void,
  also: readonly NodeJS.Signals[] = [],
): void {
  let count = 0;
  for (const signal of [...INTERRUPTS, ...also]) process.on(signal, () => listener(++count, signal));
}

function print(result: Result, terminal: Terminal): number {
  if (terminal.json && result.data !== undefined) terminal.out(`${jsonFor(terminal, result.data)}\n`);
  else if (result.text) terminal.out(`${result.text}\n`);
  return result.exitCode ?? 0;
}

/** JSON escapes only C0 control characters. Terminals also interpret C1, so they are escaped for terminals. */
function jsonFor({ width }: Terminal, data: unknown): string {
  const text = JSON.stringify(data, null, 2);
  if (width === null) return text;
  return text.replace(/[\u007f-\u009f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

async function printVersion(terminal: Terminal): Promise<number> {
  const { buildText, thisBuild } = await import('../system/build.ts');
  const build = thisBuild();
  return print({ text: `queuectl ${buildText(build)}`, data: build }, terminal);
}

const wantsVersion = (name: string, argv: readonly string[]): boolean =>
  name === 'version' ||
  ownWords(argv).includes('--version') ||
  (name === '' && argv.some((word) => word === '-v' || word === '-V'));

async function overviewOrError(
  name: string,
  rest: readonly string[],
  terminal: Terminal,
  around: ProcessContext,
): Promise<number> {
  const { groupHelp, overviewHelp } = await import('./render/help.ts');
  if (name === '') checkGlobals(rest);
  const words = name === 'help' ? rest.filter((word) => !word.startsWith('-')) : [];
  if (name === '' || (name === 'help' && words.length === 0))
    return print({ text: await overviewHelp(terminal.style) }, terminal);
  const group = name === 'help' ? words.join(' ') : name;
  if (verbsOf(group).length > 0) return print({ text: await groupHelp(group, terminal.style) }, terminal);
  if (name !== 'help') throw unknownCommand(name);
  const { showHelp } = await import('./manual/help.ts');
  await showHelp(words, terminal, around.environment);
  return 0;
}

/** Without a command, only global options are valid. */
function checkGlobals(rest: readonly string[]): void {
  const known = Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`);
  const strange = rest.find((word) => word.startsWith('-') && !['-h', ...known].includes(word.split('=')[0] ?? ''));
  if (strange === undefined) return;
  const near = nearest(strange, known);
  throw usageError(
    `unknown option '${strange}'`,
    near ? `did you mean '${near}'?` : 'list the commands: queuectl --help',
  );
}

const wantsJson = (argv: readonly string[], environment: NodeJS.ProcessEnv): boolean =>
  ownWords(argv).includes('--json') || environment.QUEUECTL_OUTPUT === 'json';

/** Words after `--` belong to the job. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function fail(error: unknown, terminal: Terminal, environment: NodeJS.ProcessEnv): number {
  if (error instanceof ClosedPipe) return 0;
  const known = asQueueError(error);
  try {
    if (terminal.json) terminal.say(oneLineJson({ code: known.code, message: known.message, hint: known.hint }));
    else sayError(known, terminal);
    if (environment.QUEUECTL_DEBUG) for (const line of String((error as Error).stack).split('\n')) terminal.say(line);
  } catch {
    // stderr is closed, too.
  }
  return errorKinds()[known.code].exit;
}

function asQueueError(error: unknown): QueueError {
  if (error instanceof QueueError) return error;
  const { path, message = '' } = error as NodeJS.ErrnoException;
  if (path !== undefined && isDiskTrouble(error as NodeJS.ErrnoException))
    return new QueueError('unwritable_file', { path, problem: message }, { cause: error });
  return new QueueError(
    'internal',
    { problem: error instanceof Error ? error.message : String(error) },
    { cause: error },
  );
}

/** Errors of the disk, not of the program. Creating a directory below a read-only one fails with ENOENT. */
const isDiskTrouble = ({ code = '', syscall }: NodeJS.ErrnoException): boolean =>
  ['EROFS', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM'].includes(code) || (code === 'ENOENT' && syscall === 'mkdir');

function sayError(error: QueueError, terminal: Terminal): void {
  terminal.say(`error: ${error.message}`);
  if (error.hint) terminal.say(` hint: ${error.hint}`);
}
