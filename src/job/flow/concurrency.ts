// Which of the jobs that could run may run, under the limits of their queue, key and group and the slots of a worker.
// Pure: a store counts who runs, asks here, and writes down the answer.

/** A job that is ready, as far as limits are about it. */
export interface Candidate {
  readonly seq: number;
  readonly queue: string;
  /** How many slots of a worker it takes. */
  readonly weight: number;
  /** The memory that has to be left for it; 0: it did not say. */
  readonly memoryBytes: number;
  /** The gates it has to pass: its key and its group, each with the limit that applies to this job. */
  readonly gates: readonly Gate[];
  /** Where it waits already: under its size; null: in the line of its queue. */
  readonly waitsAt: string | null;
}

export interface Gate {
  readonly name: string;
  readonly limit: number;
}

/** What runs behind a gate. Jobs of one key may have different limits. */
export interface GateUse {
  readonly running: number;
  /** The strictest limit of the jobs that run; Infinity if none runs. */
  readonly strictest: number;
}

export const UNUSED_GATE: GateUse = { running: 0, strictest: Number.POSITIVE_INFINITY };

/**
 * How many more jobs with this limit may start behind the gate. The strictest limit applies, whether it is that of the job
 * or that of one that runs already.
 */
export const gateRoom = ({ running, strictest }: GateUse, limit: number): number =>
  Math.min(limit, strictest) - running;

/** What is left of each limit. What a map does not have is not limited. */
export interface Room {
  /** Slots of the worker that nothing runs in, and all it has. */
  readonly freeSlots: number;
  readonly slots: number;
  /** Memory that may still be reserved, and all that may be. */
  readonly freeBytes: number;
  readonly bytes: number;
  /** How many more may run over all workers. */
  readonly jobs: number;
  readonly queues: ReadonlyMap<string, number>;
  readonly gates: ReadonlyMap<string, GateUse>;
}

export interface Choice {
  readonly taken: readonly Candidate[];
  /** Found a gate full: they wait there until a job behind it has finished. */
  readonly setAside: readonly SetAside[];
  /** Too large for this worker, however idle it is: they wait under their size for a larger one, in no other job's way. */
  readonly tooLarge: readonly SetAside[];
  /** Need more memory than is left now. They stay in line, unless they hide jobs that the free slots could run. */
  readonly outOfMemory: readonly SetAside[];
  /** Whether more candidates could have been taken. */
  readonly hasRoom: boolean;
}

export interface SetAside {
  readonly seq: number;
  /** The name of the gate, or of the size. */
  readonly at: string;
}

/**
 * In the order of the candidates. A job that is too heavy for the free slots is waited for, or lighter jobs would never
 * leave it enough. A job that needs more memory than is left waits, and others run.
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
    const full = candidate.gates.find(
      ({ name, limit }) => gateRoom(gates.get(name) ?? UNUSED_GATE, limit) <= 0,
    );
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

/** Sizes sort as text, so that a worker finds every job that fits it in one range of an index. */
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

/** The names of all sizes are above the first and below the second. */
export const ALL_SIZES = [SIZES.memory.prefix, 'slots;'] as const;

export const isSize = (name: string): boolean => name > ALL_SIZES[0] && name < ALL_SIZES[1];

/** The ranges of sizes that a worker can run next to its other jobs: above the first, up to the second. */
export const sizesWithin = ({
  slots,
  freeBytes,
}: Pick<Room, 'slots' | 'freeBytes'>): (readonly [string, string])[] => [
  [SIZES.memory.prefix, sizeName('memory', Math.floor(freeBytes))],
  [SIZES.slots.prefix, sizeName('slots', slots)],
];

export const DEFAULT_WEIGHT = 1;
/** "Only one of these at a time" is what most people want of a key. */
export const DEFAULT_KEY_CONCURRENCY = 1;

export const keyGate = (key: string): string => `key:${key}`;
export const groupGate = (group: string): string => `group:${group}`;

/** How a queue is limited. null: it is not. */
export interface QueueLimit {
  readonly queue: string;
  readonly pausedAt: number | null;
  /** Since when it takes no new jobs. */
  readonly drainingAt: number | null;
  readonly concurrency: number | null;
  readonly ratePerSecond: number | null;
  /** How many may start at once after a quiet time. */
  readonly burst: number | null;
  /** When the next start would be due if starts came one by one at the rate. */
  readonly notBefore: number | null;
}

/** The name under which everything is paused: no queue can have it. */
export const EVERY_QUEUE = '*';

export const UNLIMITED: Omit<QueueLimit, 'queue'> = {
  pausedAt: null,
  drainingAt: null,
  concurrency: null,
  ratePerSecond: null,
  burst: null,
  notBefore: null,
};

/** How many of the queue may start now, beside so many that run. */
export function queueRoom(limit: QueueLimit, running: number, now: number): number {
  if (limit.pausedAt !== null) return 0;
  const places = limit.concurrency === null ? Number.POSITIVE_INFINITY : limit.concurrency - running;
  return Math.max(0, Math.min(places, rateRoom(limit, now)));
}

/** A rate is one stored time that each start moves on: nothing to count, and nothing to repair after a crash. */
function rateRoom({ ratePerSecond, burst, notBefore }: QueueLimit, now: number): number {
  if (ratePerSecond === null) return Number.POSITIVE_INFINITY;
  const used = (nextDue({ ratePerSecond, burst, notBefore }, now) - now) / intervalMs(ratePerSecond);
  return (burst ?? 1) - Math.ceil(used - ROUNDING);
}

type Rate = Pick<QueueLimit, 'burst' | 'notBefore'> & { readonly ratePerSecond: number };

/** A turn may come to its claim so much later than the time it goes by. */
const TOLERATED_MS = 60_000;

/**
 * No further ahead than a whole burst leads: beyond that, a clock was ahead and is set right again. One may start then, which
 * writes down a time that is right.
 */
function nextDue({ ratePerSecond, burst, notBefore }: Rate, now: number): number {
  const due = Math.max(notBefore ?? now, now);
  const furthest = now + (burst ?? 1) * intervalMs(ratePerSecond);
  return due > furthest + TOLERATED_MS ? furthest - intervalMs(ratePerSecond) : due;
}

/** Times are whole milliseconds, and sums of intervals are not. */
const ROUNDING = 1e-6;

const intervalMs = (ratePerSecond: number): number => 1000 / ratePerSecond;

/** What `notBefore` is after so many starts. */
export function afterStarts(
  { ratePerSecond, burst, notBefore }: QueueLimit,
  starts: number,
  now: number,
): number | null {
  if (ratePerSecond === null) return notBefore;
  return nextDue({ ratePerSecond, burst, notBefore }, now) + starts * intervalMs(ratePerSecond);
}

/** When the rate lets the next one start; null: it does not hold anything back. */
export function rateOpensAt(
  { pausedAt, ratePerSecond, burst, notBefore }: QueueLimit,
  now: number,
): number | null {
  if (pausedAt !== null || ratePerSecond === null || notBefore === null) return null;
  const due = nextDue({ ratePerSecond, burst, notBefore }, now);
  const opens = Math.ceil(due - ((burst ?? 1) - 1) * intervalMs(ratePerSecond) - ROUNDING);
  return opens > now ? opens : null;
}
