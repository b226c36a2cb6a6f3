// Links an attempt to the last attempts of its dependencies, and of the job whose hook it is.

import type { Job } from '../job/job.ts';
import type { Store } from '../store/store.ts';
import { attemptSpanId, traceOf } from './ids.ts';
import { attributesOf, type Link } from './span.ts';

export type TracedStore = Pick<Store, 'get' | 'getAll' | 'history' | 'groups' | 'now'>;

/** Maximum number of links for a job with thousands of dependencies. */
const MOST_LINKS = 32;

const GROUP = 'group:';

/** `startedAt` is the start of the attempt; later attempts of its dependencies are ignored. */
export async function linksOf(store: TracedStore, job: Job, startedAt: number): Promise<Link[]> {
  const parents = job.dependsOn.map(({ kind, on }) => (kind === 'group' ? GROUP + on : on));
  if (job.hookOf !== null) parents.push(job.hookOf);
  const ids = await jobsAmong(store, parents);
  const links: Link[] = [];
  for (const parent of await store.getAll(ids, {})) {
    const link = await linkTo(store, parent, startedAt);
    if (link) links.push(link);
  }
  return links;
}

async function jobsAmong(store: TracedStore, parents: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const parent of parents) {
    if (ids.size >= MOST_LINKS) break;
    if (!parent.startsWith(GROUP)) ids.add(parent);
    else for (const id of await store.groups.jobsIn(parent.slice(GROUP.length), MOST_LINKS)) ids.add(id);
  }
  return [...ids].slice(0, MOST_LINKS);
}

/** Returns null if the job was never started. */
async function linkTo(store: TracedStore, parent: Job, startedAt: number): Promise<Link | null> {
  const attempts = await store.history(parent.id);
  const ended = attempts.findLast(({ endedAt }) => endedAt !== null && endedAt <= startedAt);
  const attempt = ended ?? attempts.at(-1);
  if (!attempt) return null;
  return {
    traceId: traceOf(parent).traceId,
    spanId: attemptSpanId(parent, attempt.run),
    attributes: attributesOf({ 'messaging.message.id': parent.id }),
  };
}
