// Measures how the CPU time of claiming and completing a job grows with the number of stored jobs, queues, keys and
// schedules. Without processes: only the store, in this process, and its server.

import { statSync } from 'node:fs';
import type { Queue } from '../../src/queue/queue.ts';
import { plainWorker } from '../../test/support/workers.ts';
import { cpuUsed, type Meter, openMeter } from '../cpu.ts';
import { add, completeAll, completed, turn, worker } from '../no-op.ts';
import { ask } from '../postgres.ts';
import { atMost, type Bench, count, type Kit, onBoth } from '../row.ts';

const STORED = (process.env.BENCH_STORED_JOBS ?? '1000,1000000').split(',').map(Number);
const LEVELS = [1, 100, 10_000];
const READY = 20_000;
const LIMIT = 1.5;
const BOTH = [
  [1, 100],
  [100, 500],
] as const;

interface Growth {
  readonly noun: string;
  readonly levels: readonly number[];
  readonly fill: (queue: Queue, level: number, say: Kit['say']) => Promise<unknown>;
  /** Jobs that a turn claims, with the number of jobs that a sample completes. */
  readonly claims: readonly (readonly [atOnce: number, jobs: number])[];
}

export const benches: Bench[] = [
  ...growth('growth-jobs', {
    noun: 'stored jobs',
    levels: STORED,
    fill: fillDone,
    claims: BOTH,
  }),
  ...growth('growth-queues', {
    noun: 'queues',
    levels: LEVELS,
    fill: (queue, level, say) => addReady(queue, say, (i) => ({ queue: `q${i % level}` })),
    claims: BOTH,
  }),
  ...growth('growth-keys', {
    noun: 'keys',
    levels: LEVELS,
    fill: (queue, level, say) => addReady(queue, say, (i) => ({ key: `k${i % level}` })),
    claims: BOTH.slice(0, 1),
  }),
  ...growth('growth-schedules', {
    noun: 'schedules',
    levels: LEVELS,
    fill: async (queue, level, say) => {
      const { template } = await queue.intake();
      const job = template({ command: 'true' });
      const inputs = Array.from({ length: level }, (_, i) => ({ name: `s${i}`, every: '1d', job }));
      await (await queue.schedules()).add(inputs, null);
      await addReady(queue, say);
    },
    claims: BOTH.slice(0, 1),
  }),
].map((bench) => ({ ...bench, isExtra: true }));

function growth(name: string, { noun, levels, fill, claims }: Growth): Bench[] {
  return onBoth(name, `claims with more and more ${noun}`, async function* (kit) {
    const open = async (level: number): Promise<{ queue: Queue; meter: Meter; at: string }> => {
      const at = `${noun.replace(' ', '_')}_${level}`;
      const queue = await kit.open(at);
      await queue.store.registerWorker({ ...worker, ...plainWorker, concurrency: 100 });
      await fill(queue, level, kit.say);
      return { queue, meter: await openMeter(kit.server), at };
    };
    const cpuPerJob =
      ({ queue, meter }: Awaited<ReturnType<typeof open>>, atOnce: number, jobs: number) =>
      async () => {
        if (noun === 'stored jobs') await add(queue, jobs, {}, kit.say); // else a small queue would run empty
        return (await cpuUsed(meter, () => completeSome(queue, jobs, atOnce))) / jobs;
      };
    const [least = 0, ...more] = levels;
    const base = await open(least);
    for (const level of more) {
      const grown = await open(level);
      const common = {
        against: least === 1 ? `1 ${noun.slice(0, -1)}` : `${count(least)} ${noun}`,
        target: atMost(LIMIT),
      } as const;
      for (const [atOnce, jobs] of claims) {
        yield {
          ...common,
          measure: `${kit.prefix}CPU per job, claimed ${atOnce} at once, ${count(level)} ${noun}`,
          unit: 'us',
          warmUp: true,
          ours: cpuPerJob(grown, atOnce, jobs),
          peer: cpuPerJob(base, atOnce, jobs),
        };
      }
      await grown.meter.close();
      if (noun !== 'stored jobs') continue;
      yield {
        against: 'a limit',
        target: atMost(1),
        measure: `${kit.prefix}bytes on disk per job, ${count(level)} ${noun}`,
        unit: 'B',
        rounds: 1,
        ours: async () => (await bytesOf(kit, grown.at)) / (await stored(grown.queue)),
        peer: 1000,
      };
    }
    await base.meter.close();
  });
}

/** Two thirds of the jobs are completed and a third is ready. */
async function fillDone(queue: Queue, level: number, say: Kit['say']): Promise<void> {
  await add(queue, Math.ceil((level * 2) / 3), {}, say);
  await completeAll(queue.store, 1000, (done) => say(`completed ${count(done)}`));
  await add(queue, Math.floor(level / 3), {}, say);
}

const addReady = (
  queue: Queue,
  say: Kit['say'],
  of: (i: number) => Record<string, unknown> = () => ({}),
): Promise<void> => add(queue, READY, {}, say, (i) => ({ command: 'true', ...of(i) }));

async function completeSome({ store }: Queue, jobs: number, atOnce: number): Promise<void> {
  for (let done = 0; done < jobs; ) {
    const { claimed } = await store.turn(turn(Math.min(atOnce, jobs - done), []));
    if (claimed.length === 0) throw new Error(`only ${done} of ${jobs} jobs could be claimed`);
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
    await store.turn(turn(0, ended));
    done += claimed.length;
  }
}

async function stored(queue: Queue): Promise<number> {
  const { queues } = await queue.overview();
  return queues.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
}

/** Size of the database with indexes, without its log. */
async function bytesOf({ server, addressOf }: Kit, name: string): Promise<number> {
  if (server === null) return statSync(addressOf(name)).size;
  const rows = await ask(
    server,
    `SELECT sum(pg_total_relation_size(c.oid))::bigint AS n FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = '${name}' AND relkind = 'r'`,
  );
  return Number(rows[0]?.n);
}
