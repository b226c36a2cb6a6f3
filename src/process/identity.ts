// Which process is which: pids are reused, so a process is known by host, boot, pid and start time together.

import { hostname } from 'node:os';
import { bootId, processEntry } from './proc.ts';

export interface ProcessIdentity {
  readonly host: string;
  readonly bootId: string;
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

export function ownIdentity(environment: Readonly<Record<string, string | undefined>>): ProcessIdentity {
  return {
    host: environment.QUEUECTL_HOST || hostname(),
    bootId: bootId(),
    pid: process.pid,
    pidStartedAt: processEntry(process.pid)?.startedAt ?? null,
  };
}

/** 'unknown': it lives on another host or in another container, where only its signs of life tell. */
export type Fate = 'alive' | 'dead' | 'unknown';

export function fateOf(other: ProcessIdentity, own: Pick<ProcessIdentity, 'host' | 'bootId'>): Fate {
  if (other.host !== own.host) return 'unknown';
  if (other.bootId !== own.bootId) return sameBoot(other.bootId, own.bootId) ? 'unknown' : 'dead';
  return isRunning(other) ? 'alive' : 'dead';
}

/** Whether the pid still belongs to the process that was recorded. Only meaningful on its own host and boot. */
export function isRunning(recorded: { readonly pid: number; readonly pidStartedAt: string | null }): boolean {
  const entry = processEntry(recorded.pid);
  return entry !== null && (recorded.pidStartedAt === null || entry.startedAt === recorded.pidStartedAt);
}

const sameBoot = (a: string, b: string): boolean => a.split('/')[0] === b.split('/')[0];
