// Process identity: PIDs are reused and host names are shared, so a process is identified by boot, PID namespace, PID
// and start time. The host name is for display only.

import { hostname } from 'node:os';
import { anyEntry, bootId, exists, processEntry } from './proc.ts';

export interface ProcessIdentity {
  /** For display only. */
  readonly host: string;
  /** Boot and PID namespace. Processes with the same value can see each other. */
  readonly bootId: string;
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

/** A custom host name makes this a separate host, even on the same system. */
export function ownIdentity(environment: Readonly<Record<string, string | undefined>>): ProcessIdentity {
  const given = environment.QUEUECTL_HOST;
  return {
    host: given || hostname(),
    bootId: given ? `${bootId()}/${given}` : bootId(),
    pid: process.pid,
    pidStartedAt: processEntry(process.pid)?.startedAt ?? null,
  };
}

/** 'unknown': the process is not visible from here (another host, container or user), so only heartbeats count. */
export type Fate = 'alive' | 'stopped' | 'dead' | 'unknown';

interface Recorded {
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

/** Decides visibility: where a process runs, and which database it uses. */
export interface Vantage {
  readonly bootId: string;
  readonly storeId: string;
}

export const canSee = (own: Vantage, other: Vantage): boolean =>
  own.bootId === other.bootId && own.storeId === other.storeId;

/** Returns the state of a process, as far as it is visible from here. */
export const fateOf = (other: Recorded & Vantage, own: Vantage): Fate =>
  canSee(own, other) ? fateOfProcess(other) : 'unknown';

/** For a process recorded in this boot and namespace. */
function fateOfProcess(recorded: Recorded): Fate {
  const entry = anyEntry(recorded.pid);
  if (entry === null) return exists(recorded.pid) ? 'unknown' : 'dead';
  const isSame = recorded.pidStartedAt === null || entry.startedAt === recorded.pidStartedAt;
  if (!isSame || entry.isZombie) return 'dead';
  return entry.isStopped ? 'stopped' : 'alive';
}

/** True if the PID still belongs to the recorded process. Only meaningful within its own boot. */
export function isRunning(recorded: Recorded): boolean {
  const fate = fateOfProcess(recorded);
  return fate === 'alive' || fate === 'stopped';
}
