// Opens the queue of a server, given by --server or QUEUECTL_SERVER, and finds the token for it.

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
  /** Null if the working directory was deleted. */
  readonly cwd: string | null;
  readonly notice: (sentence: string) => void;
  /** Time limit for all requests together, starting now. */
  readonly withinMs?: number;
}

export function openRemote(options: RemoteOptions): RemoteQueue {
  const { address, environment, cwd, notice, withinMs } = options;
  const at = addressOf(address);
  const { url, token, socket } = at;
  const bounds = withinMs === undefined ? {} : { fetch: fetchWithin(withinMs, socket) };
  const caller = new RemoteCaller(overHttp(at, token ?? tokenIn(environment), bounds), notice);
  const folder = socket === null ? null : cwd; // a server with a local socket is on this machine
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

/** Rejects a file that other users can read. */
function tokenFrom(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new QueueError('unreadable_input', {
      path,
      problem: (error as Error).message,
      hint: 'check the path in QUEUECTL_TOKEN_FILE',
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
  new QueueError('unsafe_token_file', {
    path,
    problem: 'other users can read it',
    hint: `chmod 600 '${path}'`,
  });

/** A remote queue has no files on this machine. */
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
