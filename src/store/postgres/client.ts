// One connection of the driver, from the handshake on: encrypted as asked, set up for our schema, watched for its end.

import type { Duplex } from 'node:stream';
import pg from 'pg';
import { NO_TLS } from './failures.ts';
import { quotedName } from './names.ts';
import { passwordFromFile } from './passfile.ts';
import type { Target } from './target.ts';
import { mayGoWithout, tlsOptions } from './tls.ts';

/** What the server sees to itself, in case nobody is left to cancel. Statements that may take long say so. */
const STATEMENT_TIMEOUT_MS = 12_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A process that is stopped or cut off within a transaction holds up the others for no longer than this. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const KEEPALIVE_AFTER_MS = 10_000;

/**
 * What a planner does that expects to meet much of a table, and that a short statement has no use for: each of them goes
 * from few rows to few rows along an index. Without statistics, or with those of a busier hour, it would be done all the
 * same. Besides, a plain index scan marks the entries of dead rows that it meets, so that the next one skips them; a
 * bitmap scan reads them all again, each turn, until somebody vacuums.
 */
export const WALKS = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'] as const;

export interface Opened {
  readonly client: pg.Client;
  /** The server's clock, in the middle of asking for it. */
  readonly serverNow: number;
}

/** Servers that answered that they speak no TLS, so that sslmode=prefer asks each of them once. */
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

async function connect(
  target: Target,
  ssl: ReturnType<typeof tlsOptions>,
  timeoutMs: number,
): Promise<Opened> {
  const client = new pg.Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user: target.user,
    password: () => (target.password ?? passwordFromFile(target) ?? undefined) as string,
    application_name: target.applicationName,
    options: target.options ?? undefined,
    ssl,
    connectionTimeoutMillis: Math.max(1, Math.ceil(timeoutMs)),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
    // Statements of one batch travel together; each is still answered on its own.
    pipeline: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  } as pg.ClientConfig);
  client.on('error', () => destroy(client)); // whoever waits for an answer is told by the answer
  try {
    await client.connect();
    return { client, serverNow: await setUp(client, target, timeoutMs) };
  } catch (error) {
    destroy(client);
    throw error;
  }
}

/** Our integers are times and counts, which fit a number. Only our own clients read them so. */
const parserOf = (oid: number, format: 'text' | 'binary' = 'text'): unknown =>
  oid === pg.types.builtins.INT8 && format === 'text'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text');

/** As statements, not as startup parameters, which connection poolers refuse. */
async function setUp(client: pg.Client, target: Target, timeoutMs: number): Promise<number> {
  const settings = {
    search_path: `${quotedName(target.schema)}, pg_temp`, // never a table of somebody else's schema
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    ...Object.fromEntries(WALKS.map((walk) => [walk, 'off'])),
    jit: 'off', // compiling takes longer than any of our statements
  };
  const calls = Object.keys(settings).map((key, i) => `set_config('${key}', $${i + 1}, false)`);
  const sentAt = Date.now();
  const { rows } = await client.query({
    text: `SELECT ${calls.join(', ')}, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
    values: Object.values(settings),
    query_timeout: Math.max(1, Math.ceil(timeoutMs)),
  } as pg.QueryConfig);
  return Number(rows[0].now) + (Date.now() - sentAt) / 2;
}

const socketOf = (client: pg.Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** What is sent from now until nothing more is to be done at the moment leaves in one packet, not in one a message. */
export function gather(client: pg.Client): void {
  const socket = socketOf(client);
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** Takes the socket away, whatever it is doing. */
export function destroy(client: pg.Client): void {
  socketOf(client).destroy();
}

/** Says goodbye without waiting for an answer that may never come. */
export async function endClient(client: pg.Client, withinMs = 1000): Promise<void> {
  const overdue = setTimeout(() => destroy(client), withinMs);
  await client.end().catch(() => {});
  clearTimeout(overdue);
}
