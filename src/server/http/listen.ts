// The socket: listens on one address, limits slow clients, and closes all connections at the end, including open
// streams.

import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { getRequestListener } from '@hono/node-server';
import type { Socket } from 'node:net';
import { QueueError } from '../../errors/errors.ts';
import type { Incoming } from './app.ts';
import type { Tls } from '../auth/entrance.ts';
import { LIMITS, type Limits } from './server-limits.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Doorway extends Address {
  readonly tls?: Tls | null | undefined;
}

export interface Listening extends Address {
  /** Running requests may take `patienceMs`; then all connections are closed. */
  close(patienceMs: number): Promise<void>;
}

type Fetch = (request: Request, env: Incoming) => Response | Promise<Response>;

/** Interval for closing idle connections while the server shuts down. */
const CLOSE_IDLE_MS = 20;

/** Uses the next free port unless the port was requested explicitly. */
export async function listen(
  fetch: Fetch,
  { host, port, tls }: Doorway,
  isAsked: boolean,
  limits: Limits = LIMITS,
): Promise<Listening> {
  for (let tried = port; ; tried++) {
    try {
      return await listenOn(fetch, { host, port: tried, tls }, limits);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || isAsked || tried >= port + 100) throw cannotListen(error, host, tried);
    }
  }
}

function listenOn(fetch: Fetch, { host, port, tls }: Doorway, limits: Limits): Promise<Listening> {
  const options = {
    headersTimeout: limits.headersWithinMs,
    requestTimeout: limits.requestWithinMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersWithinMs),
  };
  const listener = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    overrideGlobalObjects: false,
  });
  const server = tls ? createSecureServer({ ...options, ...tls }, listener) : createServer(options, listener);
  makeRoom(server, limits.connections);
  server.setTimeout(limits.silentWithinMs);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ host, port: portOf(server), close: (patienceMs) => close(server, patienceMs) });
    });
  });
}

/** Closes the longest idle connection for a new one, so that silent clients cannot block others. */
function makeRoom(server: Server | SecureServer, most: number): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    if (open >= most) {
      const [oldest = socket] = idle;
      idle.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    open++;
    idle.add(socket);
    socket.once('close', () => {
      open--;
      idle.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

function portOf(server: Server | SecureServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: Server | SecureServer, patienceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

const cannotListen = (error: unknown, host: string, port: number): QueueError =>
  new QueueError('port_taken', { host, port, problem: (error as Error).message }, { cause: error });
