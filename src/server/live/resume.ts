// The ID of an event contains the last state of each topic that the client received. A client that reconnects with it
// gets the differences, whatever it missed and even if the server was restarted.

import { createHash } from 'node:crypto';

const TOKEN = /^[\w.-]*$/;

/** Returns a short digest. */
export const digestOf = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 12);

export const eventId = (topics: string, tokens: readonly string[]): string => [digestOf(topics), ...tokens].join('~');

/**
 * Returns the last state of each of `count` topics, or empty ones if the ID is invalid or belongs to another stream.
 */
export function sentBefore(topics: string, count: number, lastEventId: string | null): string[] {
  const [of, ...tokens] = (lastEventId ?? '').split('~');
  const isOurs = of === digestOf(topics) && tokens.length === count && tokens.every((one) => TOKEN.test(one));
  return isOurs ? tokens : Array.from({ length: count }, () => '');
}
