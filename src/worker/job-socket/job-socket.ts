// A unix socket by which jobs use their queue, and the attempts that may. It listens from its first attempt on, takes a
// bounded number of connections, and hands them to a server that is loaded when the first of them comes. An attempt that has
// ended, or whose lease is in doubt, is no longer served.

import { chmodSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import type { Creator } from '../../job/flow/child-job.ts';

/** An attempt that holds a token. */
export interface Holder extends Creator {
  /** The worker that runs it. */
  readonly workerId: string;
  /** Jobs that it has enqueued. */
  readonly made: Set<string>;
}

/** What answers at sockets. */
export interface JobServer {
  accept(connection: Socket, from: JobSocket): void;
  close(): Promise<void>;
}

export interface SocketOptions {
  readonly path: string;
  /** More connections are turned away. */
  readonly most: number;
  readonly server: () => Promise<JobServer>;
  readonly log: (line: string) => void;
}

export class JobSocket {
  readonly path: string;
  private readonly options: SocketOptions;
  private readonly listening: Server;
  private readonly connections = new Set<Socket>();
  /** By token. It is looked up by a hash, so the time that takes does not reveal how much of a guess is right. */
  private readonly holders = new Map<string, { readonly holder: Holder; readonly isValid: () => boolean }>();

  /** Throws when it cannot listen there. */
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

  /** The attempt that a token belongs to; null: none that may use it now. */
  holderOf(token: string): Holder | null {
    const found = this.holders.get(token);
    return found?.isValid() ? found.holder : null;
  }

  /** Whatever is under way is cut off. */
  close(): void {
    this.holders.clear();
    this.listening.close();
    for (const connection of this.connections) connection.destroy();
  }

  private async hand(connection: Socket): Promise<void> {
    this.connections.add(connection);
    connection.once('close', () => this.connections.delete(connection));
    connection.on('error', () => {}); // the client has gone
    try {
      const server = await this.options.server();
      if (!connection.destroyed) server.accept(connection, this);
    } catch (error) {
      this.options.log(`cannot respond to a job: ${(error as Error).message}`);
      connection.destroy();
    }
  }
}

/** Node binds and listens before this returns; only an error comes later. Nothing is read before a server is there. */
function listenAt(
  { path, most }: Pick<SocketOptions, 'path' | 'most'>,
  accept: (connection: Socket) => void,
): Server {
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
