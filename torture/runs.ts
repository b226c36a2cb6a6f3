// The runs of commands as the ledger has them. One that was killed has a start alone: when it ended, it could not say. It
// counts at its start and not beyond, so that a count is never too high.

import { type Entry, type Gate, MEMORY } from './ledger.ts';

export interface Run {
  readonly jobId: string;
  readonly pid: number;
  readonly workerId: string;
  readonly queue: string;
  readonly weight: number;
  /** The memory it reserves, in GiB. */
  readonly memoryGib: number;
  readonly gates: readonly Gate[];
  /** Its line in the ledger. */
  readonly start: Entry;
  /** Where the line of its end is; that of its start if it wrote none. */
  readonly endOffset: number;
}

/** In the order of their starts. */
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

/** Of runs in the order of their starts, those that go on beside each one: `look` is given each and the others of its kind. */
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
