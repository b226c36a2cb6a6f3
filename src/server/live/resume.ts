// The id of an event: for each topic of the stream, what the client was last told. A client that comes back with it is
// told what differs from that, which is right whatever was missed, and whether or not the server was restarted meanwhile.

import { createHash } from 'node:crypto';

const TOKEN = /^[\w.-]*$/;

/** Short, and different for different texts. */
export const digestOf = (text: string): string =>
  createHash('sha1').update(text).digest('base64url').slice(0, 12);

export const eventId = (topics: string, tokens: readonly string[]): string =>
  [digestOf(topics), ...tokens].join('~');

/** What was sent for each of `count` topics; nothing if the id belongs to another stream or is not valid. */
export function toldBefore(topics: string, count: number, lastEventId: string | null): string[] {
  const [of, ...tokens] = (lastEventId ?? '').split('~');
  const isOurs = of === digestOf(topics) && tokens.length === count && tokens.every((one) => TOKEN.test(one));
  return isOurs ? tokens : Array.from({ length: count }, () => '');
}
