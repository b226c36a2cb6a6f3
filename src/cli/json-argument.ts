// Jobs as JSON on the command line, and how JSON is told from a shell command.

import { QueueError } from '../errors.ts';

/** A JSON object or list, rather than a shell command that happens to start with { or [. */
export function looksLikeJson(text: string): boolean {
  const start = text.trimStart();
  if (start.startsWith('{')) return /^\{(\S|\s*["}]|\s*$)/.test(start); // '{ echo a; }' is a shell group
  if (start.startsWith('[')) return /^\[\s*[{"\]]/.test(start); // '[ -f x ] && y' and '[[ ... ]]' are shell tests
  return false;
}

/** The jobs in one JSON text: an object, or a list of them. */
export function jobsInJson(text: string): unknown[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [value];
  if (value.length === 0) throw nothingIn(text);
  return value;
}

export const nothingIn = (source: string): QueueError =>
  new QueueError('usage', {
    problem: `there are no jobs in '${source}'`,
    hint: 'one JSON object a line, or --lines for commands',
  });

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new QueueError('invalid_json', { problem: (error as Error).message });
  }
}
