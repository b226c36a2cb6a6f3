// docs/server.md says which limits the server has.

import { test } from 'node:test';
import { LIMITS } from '../../src/server/http/server-limits.ts';
import { MOST_TOPICS } from '../../src/server/live/topics.ts';
import { checkGenerated, table } from './generated.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;
const count = (n: number): string => n.toLocaleString('en');

test('docs/server.md says what the limits are', () => {
  const { heavyAtOnce, heavyWaiting, heavyWaitMs } = LIMITS;
  const rows = [
    ['the head of a request', `must be there within ${seconds(LIMITS.headersWithinMs)}`],
    ['a whole request', `must be there within ${seconds(LIMITS.requestWithinMs)}`],
    ['the body of a request', `${LIMITS.bodyBytes / 1024 ** 2} MiB, else 413`],
    [
      'a file that is imported',
      `${LIMITS.importBytes / 1024 ** 3} GiB, in parts that are bodies, on the disk for what is temporary; ${LIMITS.imports} at a time, and ${seconds(LIMITS.importWithinMs)} for the next part`,
    ],
    [
      'connections',
      `${count(LIMITS.connections)}; a new one then takes the place of the one that was idle longest`,
    ],
    ['a connection without a request', `is kept for ${seconds(LIMITS.keepAliveMs)}`],
    ['a connection that takes nothing of an answer', `is cut after ${seconds(LIMITS.silentWithinMs)}`],
    [
      'heavy requests',
      `${heavyAtOnce} at a time; ${heavyWaiting} more wait for up to ${seconds(heavyWaitMs)}, else 429`,
    ],
    [
      'exports and imports',
      `${LIMITS.transfersAtOnce} at a time, and each is a heavy request until it has ended`,
    ],
    [
      'event streams',
      `${count(LIMITS.streams)}, ${LIMITS.streamsOfOne} of one account (with \`--no-auth\`: of one address), else 429; ${MOST_TOPICS} topics each`,
    ],
    [
      'an event stream whose reader takes nothing',
      `holds one event for it, and is cut after ${seconds(LIMITS.unreadWithinMs)}`,
    ],
  ];
  checkGenerated('server.md', 'limits', table(['what', 'limit'], rows));
});
