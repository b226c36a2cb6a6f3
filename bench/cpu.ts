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

/** Microseconds. */
export interface Used {
  readonly clients: number;
  readonly server: number;
}

export interface Meter {
  /** Returns the CPU time that `work` takes, without server processes that end meanwhile. */
  used(work: () => Promise<unknown>): Promise<Used>;
  close(): Promise<void>;
}

/** `clientUs` returns the CPU time of the clients; by default of this program. */
export async function openMeter(server: string | null, clientUs: () => number = ownCpuUs): Promise<Meter> {
  const client = server === null ? null : await connected(server);
  const serverUs = async (): Promise<Map<number, number>> => {
    const found = await client?.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    return new Map(found?.rows.map(({ pid }) => [pid, usOrNone(pid)]));
  };
  const used: Meter['used'] = async (work) => {
    const [clients, before] = [clientUs(), await serverUs()];
    await work();
    const [own, after] = [clientUs() - clients, await serverUs()];
    return { clients: own, server: [...after].reduce((sum, [pid, us]) => sum + us - (before.get(pid) ?? 0), 0) };
  };
  return { used, close: async () => client?.end() };
}

async function connected(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => {}); // the server's shutdown after another failure
  await client.connect();
  return client;
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
  const { clients, server } = await meter.used(work);
  return clients + server;
}
