// Measures how the CPU time of running a job grows with slots and workers, and what many workers cost one server.

import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from '../../src/queue/queue.ts';
import { cpuUsed, cpuUsOf, type Meter, openMeter, type Used } from '../cpu.ts';
import { drainRate } from '../drained.ts';
import { atMost, type Bench, count, type Kit, onBoth } from '../row.ts';

const JOBS = 2000;
const USUAL_SLOTS = 4;
const HOSTS = [10, 100];
const IDLE_MS = 10_000;
/** Jobs that are enqueued one by one while all workers are idle. */
const SINGLES = 20;

interface HostCosts {
  readonly drained: Used;
  readonly single: Used;
  readonly idle: Used;
}

export const benches: Bench[] = [
  ...onBoth('growth-slots', 'CPU per job with more and more slots', (kit) =>
    drains(
      kit,
      [1, 16, 64, 512].map((slots) => ({ title: slots === 1 ? '1 slot' : `${slots} slots`, workers: 1, slots })),
    ),
  ),
  ...onBoth('growth-workers', 'CPU per job with more and more workers', (kit) =>
    drains(
      kit,
      [2, 8].map((workers) => ({ title: `${workers} workers of ${USUAL_SLOTS} slots`, workers, slots: USUAL_SLOTS })),
    ),
  ),
  {
    name: 'postgres-growth-hosts',
    summary: `up to ${HOSTS.at(-1)} workers on one PostgreSQL server, as many as on ${HOSTS.at(-1)} hosts`,
    on: 'PostgreSQL' as const,
    rows: hosts,
  },
].map((bench) => ({ ...bench, isExtra: true }));

interface Fleet {
  readonly title: string;
  readonly workers: number;
  readonly slots: number;
}

async function* drains(kit: Kit, fleets: readonly Fleet[]) {
  const perJob = (workers: number, slots: number) => () =>
    withWorkers(kit, workers, slots, async (meter) => {
      return (await cpuUsed(meter, () => drainRate(kit, 'true', JOBS))) / JOBS;
    });
  for (const { title, workers, slots } of fleets) {
    yield {
      measure: `${kit.prefix}CPU per job, drain ${count(JOBS)} × \`true\`, ${title}`,
      against: `one worker of ${USUAL_SLOTS} slots`,
      unit: 'us',
      target: atMost(1.5),
      rounds: 3,
      ours: perJob(workers, slots),
      peer: perJob(1, USUAL_SLOTS),
    } as const;
  }
}

async function* hosts(kit: Kit) {
  const known = new Map<number, HostCosts>();
  const costOf = (workers: number, of: (costs: HostCosts) => number) => async (): Promise<number> => {
    const costs = known.get(workers) ?? (await hostCosts(kit, workers));
    known.set(workers, costs);
    return of(costs);
  };
  for (const workers of HOSTS) {
    const row = (measure: string, limit: number, of: (costs: HostCosts) => number) =>
      ({
        measure: `${kit.prefix}${count(workers)} workers of ${USUAL_SLOTS} slots: ${measure}`,
        against: 'one worker',
        unit: 'us',
        target: atMost(limit),
        rounds: 1,
        ours: costOf(workers, of),
        peer: costOf(1, of),
      }) as const;
    yield row('CPU of the server per job of a drain', 1.5, ({ drained }) => drained.server / JOBS);
    yield row('CPU of the workers per job of a drain', 1.5, ({ drained }) => drained.clients / JOBS);
    yield row('CPU of the server per job enqueued while all are idle', 1.5, ({ single }) => single.server / SINGLES);
    yield row('CPU of the workers per job enqueued while all are idle', 1.5, ({ single }) => single.clients / SINGLES);
    const perSecond = ({ idle }: HostCosts): number => idle.server / (IDLE_MS / 1000);
    yield row('CPU of the server per second without jobs', workers, perSecond);
  }
}

const hostCosts = (kit: Kit, workers: number): Promise<HostCosts> =>
  withWorkers(kit, workers, USUAL_SLOTS, async (meter) => {
    const queue = await Queue.open({ environment: kit.environment });
    try {
      await sleep(2000); // excludes their start
      const idle = await meter.used(() => sleep(IDLE_MS));
      const drained = await meter.used(() => drainRate(kit, 'true', JOBS));
      const single = await meter.used(async () => {
        for (let i = 0; i < SINGLES; i++) {
          await queue.enqueue([{ command: 'true' }]);
          await sleep(100); // until all workers are idle again
        }
      });
      return { drained, idle, single };
    } finally {
      await queue.close();
    }
  });

async function withWorkers<T>(
  { server, queuectl, say }: Kit,
  workers: number,
  slots: number,
  work: (meter: Meter) => Promise<T>,
): Promise<T> {
  say(`starting ${count(workers)} workers`);
  queuectl(['worker', 'start', '--count', String(workers), '--concurrency', String(slots)]);
  const list = JSON.parse(queuectl(['worker', 'list', '--json'])) as { pid: number }[];
  const meter = await openMeter(server, () => list.reduce((sum, { pid }) => sum + cpuUsOf(pid), 0));
  try {
    return await work(meter);
  } finally {
    await meter.close();
    queuectl(['worker', 'stop']);
  }
}
