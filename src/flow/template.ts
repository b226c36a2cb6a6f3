// Command templates, filled in for each line of a list, with the placeholders of GNU parallel. In a shell command each
// value is quoted, so that a line cannot inject code; in an argument list values are inserted as they are.

import { QueueError } from '../errors/errors.ts';
import type { Command } from '../job/job.ts';
import { isInsideQuotes, shellQuote } from '../text/shell.ts';

/** Returns the command for one line; line numbers start at 1. */
export type Template = (line: string, number: number) => Command;

const withoutExtension = (path: string): string => path.replace(/\.[^/.]*$/, '');
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Same result as dirname(1). */
function folderOf(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/');
  return at < 0 ? '.' : path.slice(0, at) || '/';
}

const BLANKS: Readonly<Record<string, (line: string, number: number) => string>> = {
  '{}': (line) => line,
  '{.}': withoutExtension,
  '{/}': baseName,
  '{//}': folderOf,
  '{/.}': (line) => withoutExtension(baseName(line)),
  '{#}': (_, number) => String(number),
};
const BLANK = /\{(?:|\.|\/|\/\/|\/\.|#)\}/g;

export function templateOf(command: Command): Template {
  const parts = typeof command === 'string' ? [command] : command;
  if (!parts.some((part) => part.search(BLANK) >= 0)) throw withoutBlank();
  if (typeof command !== 'string') {
    const arguments_ = command.map((argument) => filler(argument, (value) => value));
    return (line, number) => arguments_.map((fill) => fill(line, number));
  }
  checkQuotes(command);
  return filler(command, shellQuote);
}

function filler(text: string, written: (value: string) => string): (line: string, number: number) => string {
  return (line, number) => text.replace(BLANK, (blank) => written(BLANKS[blank]?.(line, number) ?? blank));
}

/** Quotes around a quoted value would cancel its quoting, and the shell would interpret the value. */
function checkQuotes(command: string): void {
  for (const { 0: blank, index } of command.matchAll(BLANK)) {
    if (!isInsideQuotes(command, index)) continue;
    throw new QueueError('usage', {
      problem: `${blank} is inside quotes, but its value is already quoted`,
      hint: `remove the quotes around ${blank}, or pass the exact argument list after --`,
    });
  }
}

const withoutBlank = (): QueueError =>
  new QueueError('usage', {
    problem: 'the --each command contains no {}, so every line would run the same command',
    hint: `put {} where the line should go; available: ${Object.keys(BLANKS).join(' ')}`,
  });
