// Which process is which: pids are reused and host names are shared, so a process is known by boot, pid namespace, pid
// and start time together. The name of the host is for people.

import { hostname } from 'node:os';
import { anyEntry, bootId, isHidden, processEntry } from './proc.ts';

export interface ProcessIdentity {
  /** For people. */
  readonly host: string;
  /** The boot and the pid namespace: where two processes have the same one, they can see each other. */
  readonly bootId: string;
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

/** A host that was given a name of its own stands for itself, even where the system is one and the same. */
export function ownIdentity(environment: Readonly<Record<string, string | undefined>>): ProcessIdentity {
  const given = environment.QUEUECTL_HOST;
  return {
    host: given || hostname(),
    bootId: given ? `${bootId()}/${given}` : bootId(),
    pid: process.pid,
    pidStartedAt: processEntry(process.pid)?.startedAt ?? null,
  };
}

/** 'unknown': it cannot be seen from here (another host, container or user), so only its signs of life tell. */
export type Fate = 'alive' | 'stopped' | 'dead' | 'unknown';

interface Recorded {
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

/** What decides whether processes can be seen: where they run, and which database they speak of. */
export interface Vantage {
  readonly bootId: string;
  readonly storeId: string;
}

export const canSee = (own: Vantage, other: Vantage): boolean =>
  own.bootId === other.bootId && own.storeId === other.storeId;

/** What became of a process, as far as it can be seen from here. */
export const fateOf = (other: Recorded & Vantage, own: Vantage): Fate =>
  canSee(own, other) ? fateOfProcess(other) : 'unknown';

/** What became of a process that was recorded on this very boot. */
function fateOfProcess(recorded: Recorded): Fate {
  const entry = anyEntry(recorded.pid);
  if (entry === null) return isHidden(recorded.pid) ? 'unknown' : 'dead';
  const isSame = recorded.pidStartedAt === null || entry.startedAt === recorded.pidStartedAt;
  if (!isSame || entry.isZombie) return 'dead';
  return entry.isStopped ? 'stopped' : 'alive';
}

/** Whether the pid still belongs to the process that was recorded. Only meaningful on its own boot. */
export function isRunning(recorded: Recorded): boolean {
  const fate = fateOfProcess(recorded);
  return fate === 'alive' || fate === 'stopped';
}
