// Chooses which ready jobs may start under the limits of their queue, key and group and the slots of a worker. Pure:
// the store counts running jobs, calls `choose`, and stores the result.

/** A ready job, with the fields that limits depend on. */
export interface Candidate {
  readonly seq: number;
  readonly queue: string;
  /** Number of worker slots the job takes. */
  readonly weight: number;
  /** Memory to reserve for the job; 0 if unset. */
  readonly memoryBytes: number;
  /** The job's key and group, each with the limit that applies to this job. */
  readonly gates: readonly Gate[];
  /** The size under which the job waits already; null if it is in the line of its queue. */
  readonly waitsAt: string | null;
}

export interface Gate {
  readonly name: string;
  readonly limit: number;
}

/** Running jobs counted against a gate. Jobs with the same key may have different limits. */
export interface GateUse {
  readonly running: number;
  /** Strictest limit among the running jobs; Infinity if none is running. */
  readonly strictest: number;
}

export const UNUSED_GATE: GateUse = { running: 0, strictest: Number.POSITIVE_INFINITY };

/**
 * Returns how many more jobs with this limit may start. The strictest limit applies, whether it belongs to this job or
 * to a running one.
 */
export const gateRoom = ({ running, strictest }: GateUse, limit: number): number =>
  Math.min(limit, strictest) - running;

/** Remaining room under each limit. Names missing from a map are unlimited. */
export interface Room {
  readonly freeSlots: number;
  readonly slots: number;
  /** Memory that can still be reserved, and the total. */
  readonly freeBytes: number;
  readonly bytes: number;
  /** Remaining starts under the global limit, across all workers. */
  readonly jobs: number;
  readonly queues: ReadonlyMap<string, number>;
  readonly gates: ReadonlyMap<string, GateUse>;
}

export interface Choice {
  readonly taken: readonly Candidate[];
  /** Jobs at a full gate; they wait until a job counted there finishes. */
  readonly setAside: readonly SetAside[];
  /**
   * Jobs that are too large for this worker even when it is idle. They wait under their size for a larger worker and
   * delay no other job.
   */
  readonly tooLarge: readonly SetAside[];
  /**
   * Jobs that need more memory than is free. They stay in line, unless they hide jobs that the free slots could run.
   */
  readonly outOfMemory: readonly SetAside[];
  /** Whether more candidates could have been taken. */
  readonly hasRoom: boolean;
}

export interface SetAside {
  readonly seq: number;
  /** Name of the gate or size. */
  readonly at: string;
}

/**
 * Takes candidates in order. A job too heavy for the free slots blocks lighter ones, or it would starve. A job that
 * needs more memory than is left lets others pass.
 */
export function choose(candidates: readonly Candidate[], room: Room): Choice {
  const [queues, gates] = [new Map(room.queues), new Map(room.gates)];
  let [slots, jobs, bytes] = [room.freeSlots, room.jobs, room.freeBytes];
  const taken: Candidate[] = [];
  const setAside: SetAside[] = [];
  const tooLarge: SetAside[] = [];
  const outOfMemory: SetAside[] = [];
  let isBlocked = false;
  for (const candidate of candidates) {
    const { seq, queue, weight, memoryBytes } = candidate;
    if (queues.get(queue) === 0) continue;
    const size = sizeBeyond(candidate, room);
    if (size !== null) {
      if (size !== candidate.waitsAt) tooLarge.push({ seq, at: size });
      continue;
    }
    if (jobs <= 0 || weight > slots) {
      isBlocked = true;
      break;
    }
    if (memoryBytes > bytes) {
      const at = memorySize(memoryBytes);
      if (at !== candidate.waitsAt) outOfMemory.push({ seq, at });
      continue;
    }
    const full = candidate.gates.find(({ name, limit }) => gateRoom(gates.get(name) ?? UNUSED_GATE, limit) <= 0);
    if (full !== undefined) {
      setAside.push({ seq, at: full.name });
      continue;
    }
    taken.push(candidate);
    slots -= weight;
    bytes -= memoryBytes;
    jobs -= 1;
    const left = queues.get(queue);
    if (left !== undefined) queues.set(queue, left - 1);
    for (const { name, limit } of candidate.gates) {
      const { running, strictest } = gates.get(name) ?? UNUSED_GATE;
      gates.set(name, { running: running + 1, strictest: Math.min(strictest, limit) });
    }
  }
  return { taken, setAside, tooLarge, outOfMemory, hasRoom: !isBlocked && slots > 0 && jobs > 0 };
}

/** Sizes sort as text, so that a worker finds every job that fits it with one index range. */
const SIZES = { memory: { prefix: 'memory:', digits: 15 }, slots: { prefix: 'slots:', digits: 9 } } as const;

const sizeName = (kind: keyof typeof SIZES, amount: number): string => {
  const { prefix, digits } = SIZES[kind];
  return `${prefix}${String(Math.max(0, Math.min(amount, 10 ** digits - 1))).padStart(digits, '0')}`;
};

const memorySize = (bytes: number): string => sizeName('memory', Math.ceil(bytes));

function sizeBeyond({ weight, memoryBytes }: Candidate, room: Pick<Room, 'slots' | 'bytes'>): string | null {
  if (weight > room.slots) return sizeName('slots', weight);
  return memoryBytes > room.bytes ? memorySize(memoryBytes) : null;
}

/** Exclusive bounds of all size names. */
export const ALL_SIZES = [SIZES.memory.prefix, 'slots;'] as const;

export const isSize = (name: string): boolean => name > ALL_SIZES[0] && name < ALL_SIZES[1];

/** The ranges of sizes that a worker can run next to its other jobs: above the first, up to the second. */
export const sizesWithin = ({ slots, freeBytes }: Pick<Room, 'slots' | 'freeBytes'>): (readonly [string, string])[] => [
  [SIZES.memory.prefix, sizeName('memory', Math.floor(freeBytes))],
  [SIZES.slots.prefix, sizeName('slots', slots)],
];

export const DEFAULT_WEIGHT = 1;
/** A key usually means "only one of these at a time". */
export const DEFAULT_KEY_CONCURRENCY = 1;

export const keyGate = (key: string): string => `key:${key}`;
export const groupGate = (group: string): string => `group:${group}`;

/** Limits of a queue; null means unlimited. */
export interface QueueLimit {
  readonly queue: string;
  readonly pausedAt: number | null;
  /** Time since when the queue accepts no new jobs. */
  readonly drainingAt: number | null;
  readonly concurrency: number | null;
  readonly ratePerSecond: number | null;
  /** Number of jobs that may start at once after a quiet period. */
  readonly burst: number | null;
  /** Time when the next start is due at a steady rate. */
  readonly notBefore: number | null;
}

/** Name under which all queues are paused. No queue can have it. */
export const EVERY_QUEUE = '*';

export const UNLIMITED: Omit<QueueLimit, 'queue'> = {
  pausedAt: null,
  drainingAt: null,
  concurrency: null,
  ratePerSecond: null,
  burst: null,
  notBefore: null,
};

/** Returns how many jobs of the queue may start now, given the number that are running. */
export function queueRoom(limit: QueueLimit, running: number, now: number): number {
  if (limit.pausedAt !== null) return 0;
  const places = limit.concurrency === null ? Number.POSITIVE_INFINITY : limit.concurrency - running;
  return Math.max(0, Math.min(places, rateRoom(limit, now)));
}

/**
 * A rate needs only one stored time, which each start advances: nothing to count, and nothing to repair after a crash.
 */
function rateRoom({ ratePerSecond, burst, notBefore }: QueueLimit, now: number): number {
  if (ratePerSecond === null) return Number.POSITIVE_INFINITY;
  const used = (nextDue({ ratePerSecond, burst, notBefore }, now) - now) / intervalMs(ratePerSecond);
  return (burst ?? 1) - Math.ceil(used - ROUNDING);
}

type Rate = Pick<QueueLimit, 'burst' | 'notBefore'> & { readonly ratePerSecond: number };

/** Maximum delay between a turn's timestamp and its claim. */
const TOLERATED_MS = 60_000;

/**
 * A time further ahead than a whole burst comes from a clock that was ahead. One job may then start, which stores a
 * correct time.
 */
function nextDue({ ratePerSecond, burst, notBefore }: Rate, now: number): number {
  const due = Math.max(notBefore ?? now, now);
  const furthest = now + (burst ?? 1) * intervalMs(ratePerSecond);
  return due > furthest + TOLERATED_MS ? furthest - intervalMs(ratePerSecond) : due;
}

/** Tolerance for rounding: times are whole milliseconds, sums of intervals are not. */
const ROUNDING = 1e-6;

const intervalMs = (ratePerSecond: number): number => 1000 / ratePerSecond;

/** Returns `notBefore` after the given number of starts. */
export function afterStarts(
  { ratePerSecond, burst, notBefore }: QueueLimit,
  starts: number,
  now: number,
): number | null {
  if (ratePerSecond === null) return notBefore;
  return nextDue({ ratePerSecond, burst, notBefore }, now) + starts * intervalMs(ratePerSecond);
}

/** Returns when the rate allows the next start, or null if the rate delays nothing. */
export function rateOpensAt({ pausedAt, ratePerSecond, burst, notBefore }: QueueLimit, now: number): number | null {
  if (pausedAt !== null || ratePerSecond === null || notBefore === null) return null;
  const due = nextDue({ ratePerSecond, burst, notBefore }, now);
  const opens = Math.ceil(due - ((burst ?? 1) - 1) * intervalMs(ratePerSecond) - ROUNDING);
  return opens > now ? opens : null;
}
