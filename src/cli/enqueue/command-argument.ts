// The command of a job on the command line: one string for the shell, or an exact argument list after `--`.

import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { QueueError, usageError } from '../../errors/errors.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Context } from '../command.ts';
import type { FIELD_OPTIONS } from '../options/job-options.ts';
import { looksLikeJson } from './json-argument.ts';

type CommandContext = Context<Pick<typeof FIELD_OPTIONS, 'command' | 'recipe' | 'cwd'>>;

export function commandFrom(context: CommandContext, name: string): { command?: unknown } {
  const { args, exact, options } = context;
  if (options.has('recipe') && args.length === 0 && exact === null && !options.has('command')) return {};
  const flag = options.text('command');
  if (flag !== undefined && args.length === 0 && exact === null) {
    rejectJobFile(context, flag);
    return { command: flag };
  }
  if (flag !== undefined) throw commandTwice(name);
  if (exact !== null && args.length === 0) {
    if (exact.length === 0) throw noCommand(name);
    if (exact.length === 1) rejectJobFile(context, exact[0] ?? '');
    return { command: [...exact] };
  }
  if (exact !== null || args.length > 1) throw severalWords([...args, ...(exact ?? [])], name);
  if (args[0] === undefined) throw noCommand(name);
  rejectJobFile(context, args[0]);
  return { command: args[0] };
}

const JOB_FILE = /\.(jsonl?|ndjson|ya?ml)$/i;

/** The name of a job file, given as a command, would be accepted and fail with exit code 127 when the job runs. */
function rejectJobFile({ cwd, options }: CommandContext, word: string): void {
  if (!JOB_FILE.test(word)) return;
  const path = resolve(cwd ?? '/', options.text('cwd') ?? '', word);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true || isExecutable(path)) return;
  throw usageError(
    `'${word}' is a file, not a command`,
    `enqueue the jobs in the file: queuectl enqueue --file ${shellQuote(word)}`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The hint shows the current command. */
const noCommand = (name: string): QueueError =>
  QueueError.told('command_required', new QueueError('command_required').message, `queuectl ${name} 'sleep 2'`);

const commandTwice = (name: string): QueueError =>
  usageError(
    'the command was given twice: as an option and as an argument',
    `pass the command once: queuectl ${name} 'COMMAND'`,
  );

function severalWords(words: readonly string[], name: string): QueueError {
  const shown = words.join(' ').slice(0, 60);
  if (looksLikeJson(words[0] ?? ''))
    throw usageError(
      `the shell split the JSON into several words: ${shown}`,
      `put the JSON in single quotes: queuectl ${name} '{"command":"sleep 2"}'`,
    );
  return usageError(
    `ambiguous command of several words: ${shown}`,
    `for a shell command: queuectl ${name} '${shown}'; for an exact argument list: queuectl ${name} -- ${shown}`,
  );
}
