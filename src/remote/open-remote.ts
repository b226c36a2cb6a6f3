// A queue by the address of its server, as --server and QUEUECTL_SERVER name it, and the token that lets one in.

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';
import { addressOf, overHttp } from '../library/http.ts';
import { fetchOverSocket } from '../library/socket-fetch.ts';
import type { Place } from '../store/location.ts';
import { RemoteCaller } from './remote-caller.ts';
import { type RemoteQueue, remoteQueue } from './remote-queue.ts';

export interface RemoteOptions {
  readonly address: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The working directory; null: it was removed. */
  readonly cwd: string | null;
  /** Says something on the way. */
  readonly notice: (sentence: string) => void;
  /** For callers that would rather have no answer than a late one: from now on, for all requests. */
  readonly withinMs?: number;
}

export function openRemote(options: RemoteOptions): RemoteQueue {
  const { address, environment, cwd, notice, withinMs } = options;
  const at = addressOf(address);
  const { url, token, socket } = at;
  const bounds = withinMs === undefined ? {} : { fetch: fetchWithin(withinMs, socket) };
  const caller = new RemoteCaller(overHttp(at, token ?? tokenIn(environment), bounds), notice);
  const folder = socket === null ? null : cwd; // what has a socket here is on this machine
  return remoteQueue(caller, { place: placeAt(url), environment, cwd: folder });
}

function fetchWithin(ms: number, socket: string | null): typeof fetch {
  const send = socket === null ? fetch : fetchOverSocket(socket);
  const over = AbortSignal.timeout(ms);
  return (input, init = {}) => {
    const signal = init.signal ? AbortSignal.any([init.signal, over]) : over;
    return send(input, { ...init, signal });
  };
}

function tokenIn({ QUEUECTL_TOKEN: token, QUEUECTL_TOKEN_FILE: path }: NodeJS.ProcessEnv): string {
  if (token) return token;
  return path ? tokenFrom(path) : '';
}

/** What others can read is no secret. */
function tokenFrom(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new QueueError('unreadable_input', {
      path,
      problem: (error as Error).message,
      hint: 'QUEUECTL_TOKEN_FILE names it',
    });
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) throw readByOthers(path);
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(file);
  }
}

const readByOthers = (path: string): QueueError =>
  new QueueError('unsafe_token_file', { path, problem: 'others can read it', hint: `chmod 600 '${path}'` });

/** Nothing of it is on this machine. */
const placeAt = (url: string): Place => ({
  db: url,
  dbForJobs: url,
  name: url,
  isNamed: true,
  file: null,
  folder: '',
  logs: '',
  run: '',
  wakePath: '',
});
