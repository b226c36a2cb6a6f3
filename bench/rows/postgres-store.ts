// Measures the store alone on PostgreSQL in one process: enqueue, then claim and complete no-op jobs, compared with two
// other PostgreSQL queues. Same durable server and the same number of jobs in flight. The contestants take turns and
// the order changes, because each meets the server busy with work of the previous one.

import { join } from 'node:path';
import { median } from '../measure.ts';
import { completeAll, worker } from '../no-op.ts';
import { haveNpmPeer } from '../peers.ts';
import { onServer, openQueue } from '../postgres.ts';
import { atLeast, type Bench, perSecond, type Row } from '../row.ts';
import { plainWorker } from '../../test/support/workers.ts';

const JOBS = 20_000;
const ENQUEUED_AT_ONCE = 1000;
/** Jobs in flight, and the largest batch. */
const CLAIMED_AT_ONCE = 100;
/** The peers complete on one connection and fetch on another. Ours are two workers that share the jobs in flight. */
const LANES = 2;
const ROUNDS = 6;

interface Contestant {
  add(count: number): Promise<unknown>;
  /** Returns the milliseconds to claim and complete all of them. */
  process(count: number): Promise<number>;
  close(): Promise<unknown>;
}

interface Where {
  readonly url: string;
  readonly schema: string;
  readonly claimedAtOnce: number;
}

type Open = (where: Where) => Promise<Contestant>;

interface Rates {
  readonly add: number[];
  readonly process: number[];
}

const PEERS = ['graphile-worker', 'pg-boss'];

export const bench: Bench = {
  name: 'postgres-store',
  run: (say) =>
    onServer(async (url) => {
      const contestants = new Map<string, Open>([['queuectl', openOurs]]);
      for (const peer of PEERS) {
        const folder = haveNpmPeer(peer, say);
        if (folder !== null) contestants.set(peer, (await import(join(folder, 'contestant.mjs'))).open);
      }
      const rates = await measure(url, contestants, say);
      const ours = rates.get('queuectl');
      return PEERS.flatMap((peer) => {
        const theirs = rates.get(peer);
        return ours && theirs ? rowsOf(peer, ours, theirs) : [];
      });
    }),
};

async function measure(
  url: string,
  contestants: ReadonlyMap<string, Open>,
  say: (line: string) => void,
): Promise<Map<string, Rates>> {
  const rates = new Map<string, Rates>();
  for (const name of contestants.keys()) rates.set(name, { add: [], process: [] });
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, open] of rotated([...contestants], round)) {
      say(`round ${round} of ${ROUNDS}: ${name}`);
      const schema = `of_${name.replace('-', '_')}_${round}`;
      const { add, process } = await oneRound(await open({ url, schema, claimedAtOnce: CLAIMED_AT_ONCE }));
      if (round === 0) continue; // warm-up round
      rates.get(name)?.add.push(add);
      rates.get(name)?.process.push(process);
    }
  }
  return rates;
}

const rotated = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];

async function oneRound(contestant: Contestant): Promise<{ add: number; process: number }> {
  const startedAt = performance.now();
  for (let done = 0; done < JOBS; done += ENQUEUED_AT_ONCE) await contestant.add(ENQUEUED_AT_ONCE);
  const addMs = performance.now() - startedAt;
  const processMs = await contestant.process(JOBS);
  await contestant.close();
  return { add: (JOBS / addMs) * 1000, process: (JOBS / processMs) * 1000 };
}

async function openOurs({ url, schema, claimedAtOnce }: Where): Promise<Contestant> {
  const atOnce = claimedAtOnce / LANES;
  const lanes = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      const by = { ...worker, id: `${worker.id}${lane}` };
      const queue = await openQueue(url, schema);
      await queue.store.registerWorker({ ...by, ...plainWorker, concurrency: atOnce });
      return { by, queue };
    }),
  );
  return {
    add: async (count) => lanes[0]?.queue.enqueue(Array.from({ length: count }, (_, i) => ({ command: `echo ${i}` }))),
    process: async (count) => {
      const startedAt = performance.now();
      const done = await Promise.all(lanes.map(({ queue, by }) => completeAll(queue.store, atOnce, () => {}, by)));
      const sum = done.reduce((a, b) => a + b, 0);
      if (sum !== count) throw new Error(`${sum} of ${count} jobs were completed`);
      return performance.now() - startedAt;
    },
    close: () => Promise.all(lanes.map(({ queue }) => queue.close())),
  };
}

function rowsOf(peer: string, ours: Rates, theirs: Rates): Row[] {
  return (['add', 'process'] as const).map((part) => {
    const [our, their] = [median(ours[part]), median(theirs[part])];
    return {
      measure: `PostgreSQL, ${NAMES[part]} ${JOBS.toLocaleString('en-US')} no-ops, durable`,
      against: `${peer}, same server and batches`,
      ours: spread(ours[part]),
      theirs: spread(theirs[part]),
      ...atLeast(our / their, 1),
    };
  });
}

/** Returns the median, and the range from the slowest to the fastest round. */
const spread = (rates: readonly number[]): string =>
  `${perSecond(median(rates))} (${perSecond(Math.min(...rates))} to ${perSecond(Math.max(...rates))})`;

const NAMES = {
  add: `enqueue, ${ENQUEUED_AT_ONCE} at once,`,
  process: `claim and complete, ${CLAIMED_AT_ONCE} at once,`,
} as const;
