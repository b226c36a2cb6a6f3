// A snapshot of all processes, read from /proc in small steps so that the event loop is not blocked. Concurrent callers
// share one snapshot: stopping a thousand jobs costs as many as stopping one.

import { allPids, environmentOf, type ProcessEntry, processEntry, ticksNow } from './proc.ts';

/** Variable that marks the processes of an attempt, wherever they move. */
export const LEASE_VARIABLE = 'QUEUECTL_LEASE';
const LEASE_ENTRY = `${LEASE_VARIABLE}=`;
const YOUNG_TICKS = 100;

/** Yields to the event loop after this many milliseconds of reading. */
const STEP_MS = 4;

export interface MarkedEntry extends ProcessEntry {
  /** Mark from its environment; '' if it belongs to no attempt, null if unknown. */
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

/** Returns a snapshot that begins after this call, shared by all callers until it begins. */
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
 * Caches marks: a process that replaces its environment still belongs to its job, and one without a mark never gets
 * one. Processes so young that they may still show their parent's environment are read again.
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
