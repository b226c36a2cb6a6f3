// Measures PostgreSQL next to other queues on the same durable server, with one worker of 100 slots and ten workers of
// 10: the store alone in one process, and worker processes that run `true`.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Queue } from '../../src/queue/queue.ts';
import { plainWorker } from '../../test/support/workers.ts';
import { drainRate } from '../drained.ts';
import { inSandbox, median, rate } from '../measure.ts';
import { completeAll, worker } from '../no-op.ts';
import { haveNpmPeer } from '../peers.ts';
import { queueAt } from '../postgres.ts';
import { atLeast, atMost, type Bench, count, type Kit, type Row } from '../row.ts';
import { stampCommand, untilStamped } from '../stamps.ts';

const JOBS = 20_000;
const DRAINED = 2000;
const ENQUEUED_AT_ONCE = 1000;
const ENQUEUE_TARGETS = { 'graphile-worker': 1.2, 'pg-boss': 1.2 };
const CLAIM_TARGETS = { 'graphile-worker': 1.3, 'pg-boss': 1.3 };
const PEERS = ['graphile-worker', 'pg-boss'] as const;

/** Slots of 100 jobs altogether. */
const FLEETS = [
  { title: 'one worker of 100 slots', workers: 1, slots: 100 },
  { title: 'ten workers of 10 slots', workers: 10, slots: 10 },
] as const;
type Fleet = (typeof FLEETS)[number];

interface Where {
  readonly url: string;
  readonly schema: string;
  readonly workers: number;
  readonly slots: number;
}

interface Contestant {
  add(count: number): Promise<unknown>;
  /** Returns the milliseconds to claim and complete all of them. */
  process(count: number): Promise<number>;
  close(): Promise<unknown>;
}

type Open = (where: Where) => Promise<Contestant>;
type Part = 'add' | 'process';

export const benches: Bench[] = [
  {
    name: 'postgres-enqueue',
    summary: `enqueue no-ops, ${count(ENQUEUED_AT_ONCE)} at once, compared with other PostgreSQL queues`,
    on: 'PostgreSQL',
    rows: (kit) =>
      storeRows(kit, 'add', FLEETS.slice(0, 1), ENQUEUE_TARGETS, () => `enqueue, ${count(ENQUEUED_AT_ONCE)} at once`),
  },
  {
    name: 'postgres-claim',
    summary: 'claim and complete no-ops, compared with other PostgreSQL queues',
    on: 'PostgreSQL',
    rows: (kit) => storeRows(kit, 'process', FLEETS, CLAIM_TARGETS, ({ title }) => `claim and complete, ${title}`),
  },
  {
    name: 'postgres-drain',
    summary: 'run `true` and start a job, compared with graphile-worker processes that spawn',
    on: 'PostgreSQL',
    rows: processRows,
  },
];

async function* storeRows(
  { server, say }: Kit,
  part: Part,
  fleets: readonly Fleet[],
  targets: Readonly<Record<(typeof PEERS)[number], number>>,
  titleOf: (fleet: Fleet) => string,
): AsyncIterable<Row> {
  let schemas = 0;
  const sample =
    (open: Open, { workers, slots }: Fleet) =>
    async (): Promise<number> => {
      const contestant = await open({ url: server ?? '', schema: `${part}_${++schemas}`, workers, slots });
      const added = await rate(JOBS, async () => {
        for (let done = 0; done < JOBS; done += ENQUEUED_AT_ONCE) await contestant.add(ENQUEUED_AT_ONCE);
      });
      const found = part === 'add' ? added : (JOBS / (await contestant.process(JOBS))) * 1000;
      await contestant.close();
      return found;
    };
  for (const peer of PEERS) {
    const folder = haveNpmPeer(peer, say);
    if (folder === null) continue;
    const { open } = (await import(join(folder, 'contestant.mjs'))) as { open: Open };
    for (const fleet of fleets) {
      yield {
        measure: `PostgreSQL, ${titleOf(fleet)}, ${count(JOBS)} no-ops`,
        against: peer,
        unit: '/s',
        target: atLeast(targets[peer]),
        durable: 'both',
        warmUp: true,
        ours: sample(openOurs, fleet),
        peer: sample(open, fleet),
      };
    }
  }
}

async function openOurs({ url, schema, workers, slots }: Where): Promise<Contestant> {
  const lanes: { queue: Queue; by: typeof worker }[] = [];
  for (let lane = 0; lane < workers; lane++) {
    const by = { ...worker, id: `${worker.id}${lane}` };
    const queue = await Queue.open({ db: queueAt(url, schema), environment: {} });
    await queue.store.registerWorker({ ...by, ...plainWorker, concurrency: slots });
    lanes.push({ queue, by });
  }
  return {
    add: async (jobs) => lanes[0]?.queue.enqueue(Array.from({ length: jobs }, (_, i) => ({ command: `echo ${i}` }))),
    process: async (jobs) => {
      const startedAt = performance.now();
      const done = await Promise.all(lanes.map(({ queue, by }) => completeAll(queue.store, slots, () => {}, by)));
      const sum = done.reduce((a, b) => a + b, 0);
      if (sum !== jobs) throw new Error(`${sum} of ${jobs} jobs were completed`);
      return performance.now() - startedAt;
    },
    close: () => Promise.all(lanes.map(({ queue }) => queue.close())),
  };
}

/** Commands that real worker processes run. */
interface Crew {
  drainRate(): Promise<number>;
  run(command: string): Promise<unknown>;
}

async function* processRows({ server, say, folder }: Kit): AsyncIterable<Row> {
  const peerFolder = haveNpmPeer('graphile-worker', say);
  if (peerFolder === null) return;
  let stamps = 0;
  for (const fleet of FLEETS) {
    const where = { url: server ?? '', schema: `drain_${fleet.workers}`, ...fleet };
    const common = { against: 'graphile-worker whose tasks spawn `sh -c`', durable: 'both' } as const;
    const ours = <T>(work: (crew: Crew) => Promise<T>): Promise<T> => withOurCrew(where, work);
    const theirs = <T>(work: (crew: Crew) => Promise<T>): Promise<T> =>
      withPeerCrew(peerFolder, { ...where, schema: `${where.schema}_peer` }, work);
    yield {
      ...common,
      measure: `PostgreSQL, drain ${count(DRAINED)} × \`true\`, ${fleet.title}`,
      unit: '/s',
      target: atLeast(1),
      rounds: 3,
      ours: () => ours((crew) => crew.drainRate()),
      peer: () => theirs((crew) => crew.drainRate()),
    };
    const pickup = async (crew: Crew): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 20; i++) {
        const path = join(folder, `pickup${++stamps}`);
        times.push(await untilStamped(path, () => crew.run(stampCommand(path))));
      }
      return median(times);
    };
    yield {
      ...common,
      measure: `PostgreSQL, time until an idle worker starts a job, ${fleet.title}`,
      unit: 'ms',
      target: atMost(1.1),
      rounds: 3,
      ours: () => ours(pickup),
      peer: () => theirs(pickup),
    };
  }
}

const withOurCrew = <T>({ url, schema, workers, slots }: Where, work: (crew: Crew) => Promise<T>): Promise<T> =>
  inSandbox(
    async (sandbox) => {
      const { environment, queuectl } = sandbox;
      queuectl(['worker', 'start', '--count', String(workers), '--concurrency', String(slots)]);
      const queue = await Queue.open({ environment });
      try {
        return await work({
          drainRate: () => drainRate(sandbox, 'true', DRAINED),
          run: (command) => queue.enqueue([{ command }]),
        });
      } finally {
        await queue.close();
      }
    },
    { QUEUECTL_DB: queueAt(url, schema) },
  );

async function withPeerCrew<T>(
  folder: string,
  { url, schema, workers, slots }: Where,
  work: (crew: Crew) => Promise<T>,
): Promise<T> {
  const { openSpawner } = await import(join(folder, 'contestant.mjs'));
  const spawner = await openSpawner({ url, schema });
  const processes: ChildProcess[] = [];
  for (let i = 0; i < workers; i++) {
    const child = fork(join(folder, 'contestant.mjs'), [url, schema, String(slots)], {
      stdio: ['ignore', 'ignore', 2, 'ipc'],
    });
    processes.push(child);
    await once(child, 'message');
  }
  try {
    return await work({
      drainRate: async () => (DRAINED / (await spawner.drain('true', DRAINED))) * 1000,
      run: (command) => spawner.run([command]),
    });
  } finally {
    for (const child of processes) child.disconnect();
    await Promise.all(processes.map((child) => child.exitCode ?? once(child, 'exit')));
    await spawner.close();
  }
}
