// Jobs as JSON on the command line, and how to distinguish JSON from a shell command.

import { QueueError, usageError } from '../../errors/errors.ts';

/** Recognizes a JSON object or list, but not a shell command that starts with { or [. */
export function looksLikeJson(text: string): boolean {
  const start = text.trimStart();
  if (start.startsWith('{')) return /^\{(\S|\s*["}]|\s*$)/.test(start); // '{ echo a; }' is a shell group
  if (start.startsWith('[')) return /^\[\s*[{"\]]/.test(start); // '[ -f x ] && y' and '[[ ... ]]' are shell tests
  return false;
}

/** Returns the jobs in a JSON text: one object, or a list of objects. */
export function jobsInJson(text: string): unknown[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [value];
  if (value.length === 0) throw nothingIn(text);
  return value;
}

export const nothingIn = (source: string): QueueError =>
  usageError(`no jobs in '${source}'`, 'write one JSON object per line, or use --lines for one command per line');

/** In most invalid JSON, the shell removed the quotes, or a value contains quotes. */
export function quotesHint(text: string): string | null {
  if (/^\s*[[{]\s*'/.test(text)) return `use double quotes in JSON: '{"command":"sleep 2"}'`;
  if (/^\s*\{\s*\w+\s*:/.test(text))
    return `put the JSON in single quotes so that the shell keeps its double quotes: '{"command":"sleep 2"}'`;
  if (/"\s*:\s*"[^"]*"[^",}\]\s]/.test(text) || /"\s*:\s*"[^"]*\s"\w/.test(text))
    return `escape quotes inside a value: '{"command":"echo \\"hi\\""}'; or use a plain command: queuectl enqueue 'echo "hi"'`;
  return null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const known = new QueueError('invalid_json', { problem: (error as Error).message });
    throw QueueError.told(known.code, known.message, quotesHint(text) ?? known.hint, known.details);
  }
}
