// Runs of commands from the ledger. A killed run has no end line and counts only at its start, so that counts are never
// too high.

import { type Entry, type Gate, MEMORY } from './ledger.ts';

export interface Run {
  readonly jobId: string;
  readonly pid: number;
  readonly workerId: string;
  readonly queue: string;
  readonly weight: number;
  /** Reserved memory in GiB. */
  readonly memoryGib: number;
  readonly gates: readonly Gate[];
  /** Its line in the ledger. */
  readonly start: Entry;
  /** Position of its end line, or of its start if there is none. */
  readonly endOffset: number;
}

/** Sorted by start. */
export function runsOf(entries: readonly Entry[]): Run[] {
  const ends = Map.groupBy(
    entries.filter(({ kind }) => kind === 'end'),
    ({ jobId, pid }) => `${jobId} ${pid}`,
  );
  return entries
    .filter(({ kind }) => kind === 'start')
    .map((start) => {
      const end = ends.get(`${start.jobId} ${start.pid}`)?.find(({ offset }) => offset > start.offset);
      return { ...start, ...noted(start.note), start, endOffset: end?.offset ?? start.offset };
    });
}

function noted(note: string): Pick<Run, 'queue' | 'weight' | 'memoryGib' | 'gates'> {
  const [queue = '', weight, ...rest] = note.split(' ');
  const all = rest.map(gateOf);
  const memoryGib = all.find(({ name }) => name === MEMORY)?.limit ?? 0;
  return { queue, weight: Number(weight), memoryGib, gates: all.filter(({ name }) => name !== MEMORY) };
}

function gateOf(text: string): Gate {
  const at = text.lastIndexOf('=');
  return { name: text.slice(0, at), limit: Number(text.slice(at + 1)) };
}

/** Calls `look` for each run with the runs of the same kind that overlap it. Expects runs sorted by start. */
export function besides(
  runs: readonly Run[],
  kindsOf: (run: Run) => readonly string[],
  look: (run: Run, kind: string, others: ReadonlySet<Run>) => void,
): void {
  const open = new Map<string, Set<Run>>();
  for (const run of runs) {
    for (const kind of kindsOf(run)) {
      const others = open.get(kind) ?? new Set();
      for (const other of others) if (other.endOffset < run.start.offset) others.delete(other);
      look(run, kind, others);
      open.set(kind, others.add(run));
    }
  }
}
