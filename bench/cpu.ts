// CPU time of this program, of workers and of a PostgreSQL server. Other load on the machine affects it less than elapsed
// time.

import { readFileSync } from 'node:fs';
import pg from 'pg';

const TICK_US = 10_000;

/** User and system time of all threads. */
export function cpuUsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

export function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export interface Meter {
  /** Microseconds so far: of the client processes, and of the server's processes that are still running. */
  read(): Promise<{ readonly clients: number; readonly server: number }>;
  close(): Promise<void>;
}

/** `clientUs` returns the CPU time of the clients; by default of this program. */
export async function openMeter(server: string | null, clientUs: () => number = ownCpuUs): Promise<Meter> {
  if (server === null) return { read: async () => ({ clients: clientUs(), server: 0 }), close: async () => {} };
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => {}); // the server's shutdown after another failure
  await client.connect();
  const read = async () => {
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    return { clients: clientUs(), server: rows.reduce((sum, { pid }) => sum + usOrNone(pid), 0) };
  };
  return { read, close: () => client.end() };
}

function usOrNone(pid: number): number {
  try {
    return cpuUsOf(pid);
  } catch {
    return 0; // it has just ended
  }
}

/** Returns the CPU time of clients and server that `work` takes. */
export async function cpuUsed(meter: Meter, work: () => Promise<unknown>): Promise<number> {
  const before = await meter.read();
  await work();
  const after = await meter.read();
  return after.clients - before.clients + after.server - before.server;
}
