// What people do meanwhile: enqueue, cancel, retry, delete, change settings. What is acknowledged is written down;
// an error is fine, a lie is not.

import { QueueError } from '../src/errors.ts';
import { TRANSITIONS } from '../src/job/lifecycle.ts';
import type { NewJobInput, Queue } from '../src/queue.ts';
import type { Arena } from './arena.ts';
import type { Chance } from './chance.ts';

export type Deed = (arena: Arena, queue: Queue, chance: Chance) => Promise<void>;

/** More would only wait longer. */
const BACKLOG = 300;

/**
 * Now and then one that runs without the mark by which it is found: it keeps only what its ledger needs, and by what the
 * arena finds all that has to die with a host.
 */
function someCommand(arena: Arena, chance: Chance): string | string[] {
  const script = arena.ledger.command(`RANDOM_SEED=${chance.integer(0, 99)}; ${chance.pick(arena.work)}`);
  if (!chance.happens(0.2)) return script;
  const kept = ['PATH', 'QUEUECTL_JOB_ID', 'QUEUECTL_HOST', ...Object.keys(arena.mark)]
    .map((name) => `${name}="$${name}"`)
    .join(' ');
  // Not in its first moments: if its worker is killed before its pid is written down, nobody could find it.
  return ['sh', '-c', `sleep 0.1; exec env -i ${kept} sh -c "$1"`, 'sh', script];
}

const enqueue: Deed = async (arena, queue, chance) => {
  const { queues } = await queue.overview();
  if (queues.reduce((sum, { counts }) => sum + counts.pending, 0) > BACKLOG) return;
  const jobs = Array.from(
    { length: chance.integer(1, 20) },
    (): NewJobInput => ({
      command: someCommand(arena, chance),
      priority: chance.integer(-2, 2),
      max_retries: chance.integer(0, 3),
      backoff_base: chance.between(0.05, 0.5),
      backoff_strategy: 'fixed',
      ...(chance.happens(0.2) ? { delay_seconds: chance.between(0, 2) } : {}),
      ...(chance.happens(0.1) ? { timeout_seconds: 0.3 } : {}),
      queue: chance.pick(['default', 'mail', 'images']),
    }),
  );
  const stored = await queue.enqueue(jobs);
  for (const { id } of stored) arena.acknowledged.add(id);
};

const cancel: Deed = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (id) await queue.store.cancel([id]);
};

const retry: Deed = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (id) await queue.store.retry([id], TRANSITIONS.retry.from);
};

const remove: Deed = async (arena, queue, chance) => {
  const id = chance.pick([...arena.acknowledged]);
  if (!id) return;
  arena.doubtful.add(id);
  await queue.remove([id]);
  arena.acknowledged.delete(id);
};

const changeSetting: Deed = async (_, queue, chance) => {
  const [key, value] = chance.pick([
    ['max_concurrent_jobs', String(chance.integer(1, 9))],
    ['max_concurrent_jobs', 'none'],
    ['kill_grace', '0.2'],
    ['backoff_max', '1'],
    ['poll_interval', '0.5'],
  ]) as [string, string];
  await queue.setSetting(key, value);
};

/** Enqueueing is what most people do most of the time. */
const DEEDS: readonly Deed[] = [enqueue, enqueue, enqueue, cancel, retry, remove, changeSetting];

/** One deed with a connection of its own, as a command would have it. Answers the error code if it was refused. */
export async function doSomething(arena: Arena, chance: Chance): Promise<string | null> {
  const deed = chance.pick(DEEDS) as Deed;
  let queue: Queue | null = null;
  try {
    queue = await arena.openQueue(5000);
    await deed(arena, queue, chance);
    return null;
  } catch (error) {
    if (error instanceof QueueError) return error.code;
    throw error;
  } finally {
    await queue?.close();
  }
}
