// Runs benches: takes the samples of each row in turns, and yields each row's result as soon as it is there.

import { join } from 'node:path';
import { Queue } from '../src/queue/queue.ts';
import { watched } from './machine.ts';
import { inSandbox, percentile, type Sandbox } from './measure.ts';
import { onServer, queueAt } from './postgres.ts';
import { type Bench, type Kit, type Row, UNITS } from './row.ts';

const ROUNDS = 5;

export interface Result {
  readonly bench: string;
  readonly measure: string;
  readonly error?: string;
  readonly against?: string;
  readonly ours?: string;
  readonly peer?: string;
  readonly compared?: number;
  readonly target?: string;
  readonly reached?: boolean;
  readonly durable?: 'both' | 'ours';
  /** What else the machine did meanwhile. */
  readonly noise?: string;
}

/** An error ends the row, or the bench if its preparation failed. */
export async function runBench(
  bench: Bench,
  rounds: number | undefined,
  say: (line: string) => void,
  note: (result: Result) => void,
): Promise<void> {
  const work = async (kit: Kit): Promise<void> => {
    for await (const row of bench.rows(kit)) note(await resultOf(bench.name, row, rounds, say));
  };
  try {
    await (bench.on === 'SQLite' ? onSqlite(work, say) : onPostgres(work, say));
  } catch (error) {
    note({ bench: bench.name, measure: bench.summary, error: messageOf(error) });
  }
}

const onSqlite = (work: (kit: Kit) => Promise<void>, say: Kit['say']): Promise<void> =>
  inSandbox((sandbox) => withQueues(sandbox, null, (name) => join(sandbox.folder, `${name}.db`), say, work));

const onPostgres = (work: (kit: Kit) => Promise<void>, say: Kit['say']): Promise<void> =>
  onServer((url) =>
    inSandbox((sandbox) => withQueues(sandbox, url, (name) => queueAt(url, name), say, work), {
      QUEUECTL_DB: queueAt(url, 'main'),
    }),
  );

async function withQueues(
  sandbox: Sandbox,
  server: string | null,
  addressOf: (name: string) => string,
  say: Kit['say'],
  work: (kit: Kit) => Promise<void>,
): Promise<void> {
  const queues: Queue[] = [];
  const open = async (name: string): Promise<Queue> => {
    const queue = await Queue.open({ db: addressOf(name), environment: {} });
    queues.push(queue);
    return queue;
  };
  try {
    await work({ ...sandbox, prefix: server === null ? '' : 'PostgreSQL, ', server, open, addressOf, say });
  } finally {
    for (const queue of queues) await queue.close();
  }
}

async function resultOf(bench: string, row: Row, rounds: number | undefined, say: Kit['say']): Promise<Result> {
  const { measure, against, unit, target, durable } = row;
  try {
    const { result, noise } = await watched(() => takeRounds(row, rounds ?? row.rounds ?? ROUNDS, say));
    const [ours, peer] = [median(result.ours), median(result.peer)];
    const compared = target.compare(ours, peer);
    const reached = target.reached(compared);
    const texts = { ours: spread(result.ours, unit), peer: spread(result.peer, unit), target: target.text };
    return { bench, measure, against, ...texts, compared, reached, ...(durable && { durable }), noise };
  } catch (error) {
    return { bench, measure, against, error: messageOf(error) };
  }
}

async function takeRounds(row: Row, rounds: number, say: Kit['say']): Promise<{ ours: number[]; peer: number[] }> {
  const { samples = 1, share = 0.5, peer } = row;
  const all: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  for (let round = row.warmUp ? 0 : 1; round <= rounds; round++) {
    say(`${row.measure}, ${row.against}: round ${round} of ${rounds}`);
    const found: typeof all = { ours: [], peer: [] };
    for (let sample = 0; sample < samples; sample++) {
      found.ours.push(await row.ours());
      found.peer.push(typeof peer === 'number' ? peer : await peer());
    }
    if (round === 0) continue;
    all.ours.push(percentile(found.ours, share));
    all.peer.push(percentile(found.peer, share));
  }
  return all;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns the median of the rounds, and their range. */
function spread(values: readonly number[], unit: keyof typeof UNITS): string {
  const text = UNITS[unit];
  const [least, most] = [text(Math.min(...values)), text(Math.max(...values))];
  return least === most
    ? least
    : `${text(median(values))} (${least.replace(/[^\d.,].*/, '')} to ${most.replace(/[^\d.,].*/, '')})`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).trim();
