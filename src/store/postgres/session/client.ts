// One connection of the driver: opens it with TLS as configured, starts a session for our schema, and closes it.

import type { Duplex } from 'node:stream';
import pg from 'pg';
import { NO_TLS } from './failures.ts';
import { passwordFromFile } from './passfile.ts';
import { asPoolerError, type Greeting, greet, startupOptions } from './startup.ts';
import type { Target } from './target.ts';
import { mayGoWithout, tlsOptions } from './tls.ts';

const KEEPALIVE_AFTER_MS = 10_000;

export interface Opened extends Greeting {
  readonly client: pg.Client;
}

/** Servers without TLS, so that sslmode=prefer asks each of them only once. */
const plainServers = new Set<string>();

export async function openClient(target: Target, timeoutMs: number): Promise<Opened> {
  const server = `${target.host}:${target.port}`;
  const ssl = mayGoWithout(target) && plainServers.has(server) ? false : tlsOptions(target);
  try {
    return await connect(target, ssl, timeoutMs);
  } catch (error) {
    if (!ssl || !mayGoWithout(target) || (error as Error).message !== NO_TLS) throw error;
    plainServers.add(server);
    return connect(target, false, timeoutMs);
  }
}

async function connect(target: Target, ssl: ReturnType<typeof tlsOptions>, timeoutMs: number): Promise<Opened> {
  const client = new pg.Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user: target.user,
    password: () => (target.password ?? passwordFromFile(target) ?? undefined) as string,
    application_name: target.applicationName,
    options: startupOptions(target),
    ssl,
    connectionTimeoutMillis: Math.max(1, Math.ceil(timeoutMs)),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    // Statements are sent without waiting for earlier results.
    pipeline: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  } as pg.ClientConfig);
  client.on('error', () => destroy(client)); // pending queries fail with it
  try {
    await client.connect();
    return { client, ...(await greet(client, target, timeoutMs)) };
  } catch (error) {
    destroy(client);
    throw asPoolerError(error, target);
  }
}

/** Our integers are times and counts, which fit into a number. Affects only our own clients. */
const parserOf = (oid: number, format: 'text' | 'binary' = 'text'): unknown =>
  oid === pg.types.builtins.INT8 && format === 'text' ? Number : pg.types.getTypeParser(oid, format as 'text');

const socketOf = (client: pg.Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** Sends everything written before the next tick in one packet, instead of one packet for each message. */
export function gather(client: pg.Client): void {
  const socket = socketOf(client);
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** Closes the socket immediately. */
export function destroy(client: pg.Client): void {
  socketOf(client).destroy();
}

/** Closes the connection properly, or by force if the server does not respond in time. */
export async function endClient(client: pg.Client, withinMs = 1000): Promise<void> {
  const overdue = setTimeout(() => destroy(client), withinMs);
  await client.end().catch(() => {});
  clearTimeout(overdue);
}
