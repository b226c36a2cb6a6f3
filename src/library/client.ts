// 'queuectl/client': a queue over HTTP, without any database code.

import { Caller } from './caller.ts';
import { addressOf, overHttp } from './http.ts';
import type { ConnectOptions, Queue } from './interface.ts';
import { queueOver } from './queue-over.ts';

export { QueueError } from '../errors/errors.ts';
export type * from './data.ts';
export type * from './interface.ts';

const STREAM_PATIENCE_SECONDS = 60;

/** Sends nothing yet: an unreachable server or invalid token shows with the first request. */
export function connect(url: string, options: ConnectOptions = {}): Queue {
  const address = addressOf(url);
  const token = options.token ?? address.token ?? globalThis.process?.env.QUEUECTL_TOKEN ?? '';
  const caller = new Caller(overHttp(address, token, options));
  const { stream = STREAM_PATIENCE_SECONDS } = options.patienceSeconds ?? {};
  return queueOver(caller, { streamPatienceMs: stream * 1000, close: async () => {} });
}
