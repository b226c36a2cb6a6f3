// A server without its door: a test says who asks, and which routes there are.

import type { TestContext } from 'node:test';
import { QueueError } from '../../src/errors/errors.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { makeApp } from '../../src/server/http/app.ts';
import type { Gate } from '../../src/server/auth/gate.ts';
import { BulkRuns } from '../../src/server/bulk-runs.ts';
import { LIMITS, type Limits } from '../../src/server/http/server-limits.ts';
import { listen } from '../../src/server/http/listen.ts';
import { Hub } from '../../src/server/live/hub.ts';
import type { Principal } from '../../src/server/role.ts';
import type { Route } from '../../src/server/route.ts';
import { openQueue } from '../support/library.ts';

export interface BareOptions {
  readonly identify?: () => Promise<Principal>;
  readonly limits?: Partial<Limits>;
  readonly routes?: readonly Route[];
}

export interface BareServer {
  readonly queue: Queue;
  readonly url: string;
  readonly token: string;
}

const viewer = async (): Promise<Principal> => ({ name: 'anybody', role: 'viewer' });

/** Nobody logs in: who asks is said by the test. */
const openGate = (identify: () => Promise<Principal>): Gate => ({
  checkHost: () => {},
  checkOrigin: () => {},
  identify,
  login: () => Promise.reject(new QueueError('not_logged_in')),
  logout: () => Promise.reject(new QueueError('not_logged_in')),
});

export async function bareServer(t: TestContext, options: BareOptions = {}): Promise<BareServer> {
  const queue = await openQueue(t);
  const limits = { ...LIMITS, ...options.limits };
  const bulk = new BulkRuns(queue);
  const live = new Hub({ queue, bulk, limits, log: () => {} });
  const app = makeApp({
    queue,
    live,
    bulk,
    page: { answer: () => null },
    gate: openGate(options.identify ?? viewer),
    version: 'test',
    isReadOnly: false,
    log: () => {},
    limits,
    ...(options.routes && { routes: options.routes }),
  });
  const listening = await listen(
    (request, connection) => app.fetch(request, connection),
    { host: '127.0.0.1', port: 0 },
    true,
    limits,
  );
  t.after(() => {
    live.close();
    return listening.close(0);
  });
  return { queue, url: `http://127.0.0.1:${listening.port}`, token: 'any' };
}
