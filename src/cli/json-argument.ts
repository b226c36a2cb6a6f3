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
  return Array.isArray(value) ? value : [value];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new QueueError('invalid_json', { problem: (error as Error).message });
  }
}
