// docs/reference/http-api.md: the limits of the server.

import { LIMITS } from '../../src/server/http/server-limits.ts';
import { MOST_TOPICS } from '../../src/server/live/topics.ts';
import { type Block, table } from './block.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;
const count = (n: number): string => n.toLocaleString('en');

export function serverLimitBlock(): Block {
  const rows = [
    ['request headers', `must arrive within ${seconds(LIMITS.headersWithinMs)}`],
    ['whole request', `must arrive within ${seconds(LIMITS.requestWithinMs)}`],
    ['request body', `${LIMITS.bodyBytes / 1024 ** 2} MiB; larger bodies get 413`],
    [
      'imported file',
      `${LIMITS.importBytes / 1024 ** 3} GiB, uploaded in parts; ${LIMITS.imports} uploads at once; ` +
        `${seconds(LIMITS.importWithinMs)} between two parts`,
    ],
    ['connections', `${count(LIMITS.connections)}; a new one then replaces the one that has been idle longest`],
    ['idle connection', `closed after ${seconds(LIMITS.keepAliveMs)}`],
    ['client that stops reading a response', `disconnected after ${seconds(LIMITS.silentWithinMs)}`],
    [
      'heavy requests',
      `${LIMITS.heavyAtOnce} at once; ${LIMITS.heavyWaiting} more wait up to ${seconds(LIMITS.heavyWaitMs)}, then get 429`,
    ],
    ['exports and imports', `${LIMITS.transfersAtOnce} at once; each also counts as a heavy request`],
    [
      'event streams',
      `${count(LIMITS.streams)} in total, ${LIMITS.streamsOfOne} per account (per address with \`--no-auth\`), ` +
        `then 429; ${MOST_TOPICS} topics each`,
    ],
    [
      'event stream whose client stops reading',
      `buffers one event, and is closed after ${seconds(LIMITS.unreadWithinMs)}`,
    ],
  ];
  return { page: 'reference/http-api.md', name: 'limits', text: table(['limit', 'value'], rows) };
}
