// Enqueues the jobs of an HTTP request only once, even if a client repeats it after a lost response. The idempotency
// key is stored with the IDs of the jobs. Jobs without an ID get one derived from the key, so that a crash between
// storing the jobs and storing their IDs creates no duplicates.

import { QueueError } from '../errors/errors.ts';
import type { Intake, JobInput } from './intake.ts';
import { newJobId } from '../job/id.ts';
import type { Job, NewJob } from '../job/job.ts';
import type { KeyedRequest, KnownRequest, Store } from '../store/store.ts';

/**
 * A request that takes longer is assumed to belong to a crashed server. If it is only slow, nothing runs twice: both
 * requests would store the same IDs, and the second finds them or is rejected.
 */
const ABANDONED_AFTER_MS = 10_000;

export type OnceRequest = Omit<KeyedRequest, 'createdAt'>;

export interface EnqueuedOnce {
  readonly jobs: readonly Job[];
  /** True if an earlier request enqueued the jobs. They are returned in their current state, without deleted ones. */
  readonly isRepeated: boolean;
}

/** Deterministic digest with at least as many bytes as an ID needs. */
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

/** An ID derived from the key exists only if an earlier request with that key has stored all its jobs. */
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
