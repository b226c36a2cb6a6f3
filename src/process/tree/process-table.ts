// All processes at one moment, read from /proc in small steps so that nothing else has to wait for it. Those who want a
// look at the same time share one: ending a thousand jobs costs as many looks as ending one.

import { allPids, environmentOf, type ProcessEntry, processEntry, ticksNow } from './proc.ts';

/** The variable by which the processes of an attempt are found, wherever they have gone. */
export const LEASE_VARIABLE = 'QUEUECTL_LEASE';
const LEASE_ENTRY = `${LEASE_VARIABLE}=`;
const YOUNG_TICKS = 100;

/** Others get their turn after so many milliseconds of reading. */
const STEP_MS = 4;

export interface MarkedEntry extends ProcessEntry {
  /** What its environment says of the attempt it belongs to; '' says that it belongs to none, null says nothing. */
  readonly lease: string | null;
}

export class ProcessTable {
  readonly byPid: ReadonlyMap<number, MarkedEntry>;
  readonly byParent: ReadonlyMap<number, readonly MarkedEntry[]>;
  readonly byGroup: ReadonlyMap<number, readonly MarkedEntry[]>;
  readonly bySession: ReadonlyMap<number, readonly MarkedEntry[]>;
  readonly byLease: ReadonlyMap<string | null, readonly MarkedEntry[]>;

  constructor(entries: readonly MarkedEntry[]) {
    this.byPid = new Map(entries.map((entry) => [entry.pid, entry]));
    this.byParent = Map.groupBy(entries, ({ parent }) => parent);
    this.byGroup = Map.groupBy(entries, ({ group }) => group);
    this.bySession = Map.groupBy(entries, ({ session }) => session);
    this.byLease = Map.groupBy(entries, ({ lease }) => lease);
  }
}

let current: Promise<unknown> = Promise.resolve();
let next: Promise<ProcessTable> | null = null;

/** A table that was begun after this call, shared by all who ask before it begins. */
export function freshTable(): Promise<ProcessTable> {
  if (next) return next;
  const scan = current.then(() => {
    next = null;
    return readTable();
  });
  next = scan;
  current = scan.catch(() => {});
  return scan;
}

async function readTable(): Promise<ProcessTable> {
  const entries: MarkedEntry[] = [];
  let stepBegan = performance.now();
  for (const pid of allPids()) {
    const entry = processEntry(pid);
    if (entry && pid !== process.pid) entries.push({ ...entry, lease: leaseOf(entry) });
    if (performance.now() - stepBegan < STEP_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    stepBegan = performance.now();
  }
  forgetAllBut(entries);
  return new ProcessTable(entries);
}

/**
 * A process keeps what it was marked with: one that replaces its environment still belongs to the job that started it, and
 * one that never had a mark gets none later. So each is asked once, unless it is so young that it may still show the
 * environment of the process that is starting it.
 */
const leases = new Map<string, string | null>();
const nameOf = ({ pid, startedAt }: ProcessEntry): string => `${pid}/${startedAt}`;

function leaseOf(entry: ProcessEntry): string | null {
  const known = leases.get(nameOf(entry));
  if (known !== undefined) return known;
  const environ = environmentOf(entry.pid);
  const found = environ?.split('\0').find((variable) => variable.startsWith(LEASE_ENTRY));
  const lease = found === undefined ? null : found.slice(LEASE_ENTRY.length);
  if (ticksNow() - Number(entry.startedAt) > YOUNG_TICKS) leases.set(nameOf(entry), lease);
  return lease;
}

function forgetAllBut(entries: readonly ProcessEntry[]): void {
  const there = new Set(entries.map(nameOf));
  for (const name of leases.keys()) if (!there.has(name)) leases.delete(name);
}
