// The entry of the CLI: finds the command, runs it, prints its result or its error. Only this file touches argv,
// signals and the exit.

import { ERRORS, QueueError } from '../errors.ts';
import { nearest } from '../job/nearest.ts';
import { Queue } from '../queue.ts';
import type { Command, Context, Result } from './command.ts';
import { GLOBAL_OPTIONS, parseLine } from './options.ts';
import { ALIASES, COMMANDS, HIDDEN } from './registry.ts';
import { ClosedPipe, type Terminal, terminalFor } from './terminal.ts';

declare const QUEUECTL_VERSION: string | undefined;
export const version = typeof QUEUECTL_VERSION === 'undefined' ? 'development' : QUEUECTL_VERSION;

/** Runs one command line and answers the exit code. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<number> {
  const terminal = terminalFor(wantsJson(argv), process.env);
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    return fail(error, terminal);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { words, rest } = splitLine(argv);
  if (ownWords(argv).includes('--version')) return print({ text: version, data: { version } }, terminal);
  const name = words.join(' ');
  const load = own(COMMANDS, name) ?? own(HIDDEN, name);
  if (!load) return overviewOrError(words, rest, terminal);
  const { command } = await load();
  const { args, exact, options } = parseLine(command, rest);
  if (options.has('help')) {
    const { commandHelp } = await import('./render/help.ts');
    return print({ text: commandHelp(command, terminal.style) }, terminal);
  }
  return run(command, { args, exact, options }, terminal);
}

async function run(
  command: Command,
  line: ReturnType<typeof parseLine>,
  terminal: Terminal,
): Promise<number> {
  let opened: Promise<Queue> | undefined;
  const cwd = currentFolder();
  const context: Context = {
    ...line,
    terminal,
    environment: process.env,
    cwd,
    queue: () => {
      opened ??= Queue.open({ db: line.options.text('db'), cwd });
      return opened;
    },
    onInterrupt,
  };
  try {
    return print(await command.run(context), terminal);
  } finally {
    await opened?.then((queue) => queue.store.leave()).catch(() => {});
  }
}

/** A folder that was removed keeps its name: a job enqueued there fails and says so, everything else works. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD || '/';
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
  if (terminal.json && result.data !== undefined) terminal.out(`${JSON.stringify(result.data, null, 2)}\n`);
  else if (result.text) terminal.out(`${result.text}\n`);
  return result.exitCode ?? 0;
}

/** The words of the command's name, and all other words in their order. Options may stand before the name. */
function splitLine(argv: readonly string[]): { words: string[]; rest: string[] } {
  const rest = [...argv];
  let at = 0;
  while (at < rest.length && rest[at]?.startsWith('-')) at += rest[at] === '--db' ? 2 : 1;
  const first = own(ALIASES, rest[at] ?? '') ?? rest[at];
  if (first === undefined) return { words: [], rest };
  const isGroup = Object.keys(COMMANDS).some((name) => name.startsWith(`${first} `));
  const second = rest[at + 1];
  const length = isGroup && second !== undefined && !second.startsWith('-') ? 2 : 1;
  const [, ...others] = rest.splice(at, length);
  return { words: [first, ...others], rest };
}

async function overviewOrError(words: string[], rest: string[], terminal: Terminal): Promise<number> {
  const { groupHelp, overviewHelp } = await import('./render/help.ts');
  checkGlobals(rest);
  const [group, verb] = words;
  if (group === undefined || group === 'help') {
    if (verb === undefined && rest.every((word) => word.startsWith('-'))) {
      return print({ text: await overviewHelp(terminal.style) }, terminal);
    }
    return dispatch([...(verb ? [verb] : []), ...rest, '--help'], terminal);
  }
  const members = Object.keys(COMMANDS).filter((name) => name.startsWith(`${group} `));
  if (members.length > 0 && verb === undefined)
    return print({ text: await groupHelp(group, terminal.style) }, terminal);
  throw unknownCommand(words.join(' '), members);
}

/** Without a command only the options that every command has make sense. */
function checkGlobals(rest: readonly string[]): void {
  const known = Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`);
  const strange = rest.find(
    (word) => word.startsWith('-') && !['-h', ...known].includes(word.split('=')[0] ?? ''),
  );
  if (strange === undefined) return;
  const near = nearest(strange, known);
  throw new QueueError('usage', {
    problem: `unknown option '${strange}'`,
    hint: near ? `did you mean '${near}'?` : 'queuectl --help lists the commands',
  });
}

function unknownCommand(given: string, members: readonly string[]): QueueError {
  const near = nearest(
    given,
    members.length > 0 ? members : [...Object.keys(COMMANDS), ...Object.keys(ALIASES)],
  );
  const known =
    members.length > 0 ? `there are: ${members.join(', ')}` : 'queuectl --help lists the commands';
  return new QueueError('usage', {
    problem: `unknown command '${given}'`,
    hint: near ? `did you mean 'queuectl ${near}'?` : known,
  });
}

const wantsJson = (argv: readonly string[]): boolean =>
  ownWords(argv).includes('--json') || process.env.QUEUECTL_OUTPUT === 'json';

/** What stands behind `--` belongs to the job. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The entry that was put there, not one that every object inherits. */
const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function fail(error: unknown, terminal: Terminal): number {
  if (error instanceof ClosedPipe) return 0;
  const known = asQueueError(error);
  try {
    if (terminal.json)
      terminal.say(JSON.stringify({ code: known.code, message: known.message, hint: known.hint }));
    else sayError(known, terminal);
    if (process.env.QUEUECTL_DEBUG) terminal.say(String((error as Error).stack));
  } catch {
    // Even stderr is gone.
  }
  return ERRORS[known.code].exit;
}

function asQueueError(error: unknown): QueueError {
  if (error instanceof QueueError) return error;
  return new QueueError(
    'internal',
    { problem: error instanceof Error ? error.message : String(error) },
    { cause: error },
  );
}

function sayError(error: QueueError, terminal: Terminal): void {
  terminal.say(`error: ${error.message}`);
  if (error.hint) terminal.say(` hint: ${error.hint}`);
}
