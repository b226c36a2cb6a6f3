// New jobs of a request that may come twice, because its answer was lost: they are enqueued once. The key that the client
// gave the request is kept with the ids of its jobs. Jobs without an id of their own get one that follows from the key: so a
// server that was killed between storing the jobs and keeping their ids does not store them again either.

import { QueueError } from '../errors/errors.ts';
import type { Intake, JobInput } from './intake.ts';
import { newJobId } from '../job/id.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { KeyedRequest, KnownRequest, Store } from '../store/store.ts';

/**
 * A request that has not finished for so long is taken for one of a server that crashed. If it is only slow, nothing runs twice: both
 * would store jobs of the same IDs, and the second finds them or is rejected.
 */
const ABANDONED_AFTER_MS = 10_000;

export type OnceRequest = Omit<KeyedRequest, 'createdAt'>;

export interface EnqueuedOnce {
  readonly jobs: readonly Job[];
  /** They were enqueued by an earlier request, and are answered as they are now; those that are gone are left out. */
  readonly isRepeated: boolean;
}

/** Always the same bytes for the same text, and no fewer than an id needs. */
export type Digest = (text: string) => Uint8Array;

export async function enqueueOnce(
  store: Store,
  intake: Intake,
  request: OnceRequest,
  inputs: readonly JobInput[],
  digest: Digest,
): Promise<EnqueuedOnce> {
  const made = inputs.map((_, i) => idOf(request, i, digest));
  const jobs = inputs.map((input, i) => intake.read({ id: made[i], ...input }));
  const createdAt = store.now();
  const known = await store.idempotency.begin({ ...request, createdAt }, createdAt - ABANDONED_AFTER_MS);
  if (known) return { jobs: await jobsOf(store, request, known), isRepeated: true };
  try {
    const enqueued = await enqueueOrFind(store, intake, jobs, new Set(made));
    await store.idempotency.finish(request, JSON.stringify(enqueued.jobs.map(({ id }) => id)));
    return enqueued;
  } catch (error) {
    await store.idempotency.abandon(request);
    throw error;
  }
}

const idOf = ({ principal, key }: OnceRequest, index: number, digest: Digest): string =>
  newJobId((count) => digest(JSON.stringify([principal, key, index])).subarray(0, count));

/** An id that follows from the key is there only if an earlier request with that key has stored its jobs, all of them. */
async function enqueueOrFind(
  store: Store,
  intake: Intake,
  jobs: readonly NewJob[],
  made: ReadonlySet<string>,
): Promise<EnqueuedOnce> {
  const ids = jobs.map(({ id }) => id);
  const own = ids.filter((id) => made.has(id));
  const isStored = own.length > 0 && (await store.getAll(own, {})).length > 0;
  if (isStored) return { jobs: await store.getAll(ids, {}), isRepeated: true };
  return { jobs: await intake.enqueue(jobs), isRepeated: false };
}

async function jobsOf(store: Store, { key, requestHash }: OnceRequest, known: KnownRequest): Promise<Job[]> {
  if (known.requestHash !== requestHash) throw new QueueError('idempotency_key_reused', { key });
  if (known.response === null) throw new QueueError('idempotency_key_busy', { key });
  return store.getAll(JSON.parse(known.response) as string[], {});
}
