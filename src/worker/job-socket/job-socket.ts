// A Unix socket through which jobs use their queue, and the attempts that may use it. It listens from its first attempt
// on, accepts a bounded number of connections, and loads its server on the first connection. Requests of an attempt
// that has ended, or whose lease is in doubt, are rejected.

import { chmodSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import type { Creator } from '../../job/flow/child-job.ts';

/** An attempt with a token. */
export interface Holder extends Creator {
  /** Worker that runs the attempt. */
  readonly workerId: string;
  /** IDs of jobs that the attempt has enqueued. */
  readonly made: Set<string>;
}

/** Handles requests at the sockets. */
export interface JobServer {
  accept(connection: Socket, from: JobSocket): void;
  close(): Promise<void>;
}

export interface SocketOptions {
  readonly path: string;
  /** Maximum number of connections. */
  readonly most: number;
  readonly server: () => Promise<JobServer>;
  readonly log: (line: string) => void;
}

export class JobSocket {
  readonly path: string;
  private readonly options: SocketOptions;
  private readonly listening: Server;
  private readonly connections = new Set<Socket>();
  /** Keyed by a hash of the token, so that lookup time reveals nothing about a guess. */
  private readonly holders = new Map<string, { readonly holder: Holder; readonly isValid: () => boolean }>();

  /** Throws if it cannot listen at the path. */
  constructor(options: SocketOptions) {
    this.path = options.path;
    this.options = options;
    this.listening = listenAt(options, (connection) => void this.hand(connection));
  }

  admit(token: string, holder: Holder, isValid: () => boolean): void {
    this.holders.set(token, { holder, isValid });
  }

  dismiss(token: string): void {
    this.holders.delete(token);
  }

  /** Returns the attempt of a token, or null if the token is invalid. */
  holderOf(token: string): Holder | null {
    const found = this.holders.get(token);
    return found?.isValid() ? found.holder : null;
  }

  /** Closes open connections too. */
  close(): void {
    this.holders.clear();
    this.listening.close();
    for (const connection of this.connections) connection.destroy();
  }

  private async hand(connection: Socket): Promise<void> {
    this.connections.add(connection);
    connection.once('close', () => this.connections.delete(connection));
    connection.on('error', () => {}); // the client disconnected
    try {
      const server = await this.options.server();
      if (!connection.destroyed) server.accept(connection, this);
    } catch (error) {
      this.options.log(`cannot respond to a job: ${(error as Error).message}`);
      connection.destroy();
    }
  }
}

/** Node binds and listens before this returns; errors arrive later. Nothing is read before a server is loaded. */
function listenAt({ path, most }: Pick<SocketOptions, 'path' | 'most'>, accept: (connection: Socket) => void): Server {
  const { createServer } = process.getBuiltinModule('node:net');
  const server = createServer({ pauseOnConnect: true }, accept);
  server.maxConnections = most;
  server.on('error', () => {});
  server.listen({ path, exclusive: true });
  if (!server.listening) throw new Error(`cannot listen at '${path}'`);
  server.unref();
  chmodSync(path, 0o600);
  return server;
}
