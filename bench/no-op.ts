// Claims and completes jobs without a process: the cost of the store alone.

import type { Queue } from '../src/queue/queue.ts';
import type { Store, Turn } from '../src/store/store.ts';
import { count as counted } from './row.ts';

export const worker = { id: 'bench', host: 'bench', pid: 1, pidStartedAt: null, bootId: 'bench' };

export const completed = {
  outcome: 'completed',
  exitCode: 0,
  signal: null,
  error: null,
  durationMs: 1,
} as const;

export const turn = (want: number, ended: Turn['ended'], by = worker): Turn => ({
  worker: by,
  started: [],
  ended,
  want,
  queues: null,
  policy: { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 },
  maxConcurrentJobs: null,
  logPath: (id, run) => `${id}.${run}.log`,
});

/** Takes turns until no job is left, `atOnce` jobs per turn. Returns the number of jobs. */
export async function completeAll(
  store: Store,
  atOnce: number,
  progress: (done: number) => void = () => {},
  by = worker,
): Promise<number> {
  let ended: Turn['ended'] = [];
  for (let done = 0; ; done += ended.length) {
    const { claimed, more } = await store.turn(turn(atOnce, ended, by));
    if (claimed.length === 0 && !more) return done;
    ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
    progress(done);
  }
}

export const failed = (error: string) =>
  ({ outcome: 'failed', exitCode: 1, signal: null, error, durationMs: 1 }) as const;

/** Claims a job, then completes it in a second turn. */
export async function claimOne(store: Store): Promise<void> {
  const { claimed } = await store.turn(turn(1, []));
  const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
  await store.turn(turn(0, ended));
}

/** Adds jobs, a thousand at a time. `input` has the defaults of all, `of` the fields of one. */
export async function add(
  queue: Queue,
  count: number,
  input: object,
  say: (line: string) => void,
  of: (i: number) => Record<string, unknown> = () => ({ command: 'true' }),
): Promise<void> {
  const { read, stage } = await queue.intake(input as Record<string, unknown>);
  const staging = await stage();
  for (let done = 0; done < count; done += 1000) {
    const size = Math.min(1000, count - done);
    await staging.add(Array.from({ length: size }, (_, i) => read(of(done + i))));
    say(`staged ${counted(done + size)} of ${counted(count)}`);
  }
  await staging.commit();
  await staging.discard();
}
