// Assembles a server: authentication, routes, and the socket.

import type { Queue } from '../queue/queue.ts';
import { makeApp } from './http/app.ts';
import { checkExposure, type TlsFiles, tlsFrom, wayIn } from './auth/entrance.ts';
import { makeGate } from './auth/gate.ts';
import { ownerToken } from './auth/token-file.ts';
import { BulkRuns } from './bulk-runs.ts';
import { LIMITS, type Limits } from './http/server-limits.ts';
import { Hub } from './live/hub.ts';
import { type Listening, listen } from './http/listen.ts';
import type { BuiltPage } from './http/built-page.ts';
import { readPage } from './http/page.ts';
import { Uploads } from './uploads.ts';
import { DEFAULT_PORT } from './usual-address.ts';

export interface ServeOptions {
  readonly host: string;
  /** Undefined for the default port, or the next free one. */
  readonly port: number | undefined;
  readonly page: BuiltPage;
  readonly version: string;
  readonly limits?: Partial<Limits>;
  /** Additional names that the Host header may contain. */
  readonly allowHosts?: readonly string[];
  /** Grants every client all rights. Only allowed on loopback. */
  readonly noAuth?: boolean;
  readonly readOnly?: boolean;
  readonly tls?: TlsFiles | undefined;
  /** A reverse proxy terminates TLS and reports the client's address. */
  readonly behindProxy?: boolean;
  readonly log: (line: string) => void;
}

export interface Serving extends Pick<Listening, 'close'> {
  /** Such as http://127.0.0.1:7777 */
  readonly url: string;
  /** URL for a browser. Contains the owner's token, so it must be kept secret. */
  readonly address: string;
}

export async function serveQueue(queue: Queue, options: ServeOptions): Promise<Serving> {
  const { host, port, version, readOnly: isReadOnly = false, behindProxy = false, log } = options;
  checkExposure({ host, tls: options.tls !== undefined, behindProxy, isOpen: options.noAuth ?? false });
  const limits = { ...LIMITS, ...options.limits };
  const tls = options.tls ? tlsFrom(options.tls) : null;
  const token = options.noAuth ? null : ownerToken(queue.place);
  let listening: Listening | undefined;
  const gate = makeGate({
    hosts: [...LOOPBACK_NAMES, named(host), ...(options.allowHosts ?? [])],
    ownerToken: token,
    accounts: await queue.accounts(),
    way: wayIn(() => listening?.port ?? 0, tls !== null, behindProxy),
  });
  const bulk = new BulkRuns(queue);
  const live = new Hub({ queue, bulk, limits, log });
  const uploads = new Uploads(limits);
  const page = readPage(options.page);
  const app = makeApp({ queue, bulk, uploads, gate, live, page, version, isReadOnly, log, limits });
  const doorway = { host, port: port ?? DEFAULT_PORT, tls };
  const open = await listen((request, env) => app.fetch(request, env), doorway, port !== undefined, limits);
  listening = open;
  const url = `${tls ? 'https' : 'http'}://${named(host)}:${open.port}`;
  const close = async (patienceMs: number): Promise<void> => {
    live.close();
    uploads.close();
    await Promise.all([bulk.close(), open.close(patienceMs)]);
  };
  return { url, address: token === null ? `${url}/` : `${url}/#token=${token}`, close };
}

/** Format in URLs and in the Host header. */
const named = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
