// Finds the jobs of a part of a workflow and selects those to rerun. src/job/flow/rerun.ts plans the changes.

import { QueueError } from '../errors/errors.ts';
import { dependencyText } from '../job/flow/dependencies.ts';
import type { Job } from '../job/job.ts';
import { hasFailed, planRerun, type Rerun, type RerunMode } from '../job/flow/rerun.ts';
import type { Link, Store } from '../store/store.ts';

const AT_ONCE = 1000;
const MOST_LINKS = 1_000_000;
const GROUP = 'group:';

/** Targets are job IDs, including their dependents, and groups as 'group:NAME'. */
export async function rerunOf(store: Store, targets: readonly string[], mode: RerunMode): Promise<Rerun> {
  const part = new Part(store);
  const jobs = targets.filter((target) => !target.startsWith(GROUP));
  const members = await membersOf(store, targets);
  if (mode === 'all') return part.plan(await part.downstreamOf([...jobs, ...members]));
  const scope = [...(await part.downstreamOf(jobs)), ...(await part.load(members))];
  const failed = scope.filter((id) => part.hasFailed(id));
  return part.plan(mode === 'failed-only' ? failed : await part.downstreamOf(failed));
}

async function membersOf(store: Store, targets: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const target of targets.filter((one) => one.startsWith(GROUP))) {
    const name = target.slice(GROUP.length);
    if ((await store.groups.get(name)) === null) throw new QueueError('group_not_found', { name });
    for (const id of await store.groups.jobsIn(name, Number.MAX_SAFE_INTEGER)) ids.push(id);
  }
  return ids;
}

/** Returns the jobs that still exist. */
export async function jobsOf(store: Store, ids: readonly string[]): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const job of await store.getAll(ids.slice(at, at + AT_ONCE), {})) jobs.push(job);
  return jobs;
}

/** The visited jobs with their dependencies and dependents. */
class Part {
  private readonly store: Store;
  private readonly jobs = new Map<string, Job>();
  private readonly links = new Map<string, Link[]>();
  private readonly children = new Map<string, Set<string>>();
  private readonly seqs = new Map<string, number>();

  constructor(store: Store) {
    this.store = store;
  }

  hasFailed(id: string): boolean {
    const job = this.jobs.get(id);
    return job !== undefined && hasFailed(job);
  }

  plan(ids: readonly string[]): Rerun {
    const inOrder = [...this.jobs.values()].sort((a, b) => this.placeOf(a) - this.placeOf(b));
    const nodes = inOrder.map((job) => ({ job, edges: this.links.get(job.id) ?? [] }));
    return planRerun(nodes, new Set(ids));
  }

  /** Returns these jobs and all their direct and indirect dependents. */
  async downstreamOf(ids: readonly string[]): Promise<string[]> {
    const found = new Set(ids);
    for (let next = [...found]; next.length > 0; ) {
      await this.load(next);
      next = [...new Set(next.flatMap((id) => this.childrenOf(id)))].filter((id) => !found.has(id));
      for (const id of next) found.add(id);
    }
    return [...found];
  }

  /** Sorts by order of enqueueing; jobs without dependencies come last. */
  private placeOf({ id }: Job): number {
    return this.seqs.get(id) ?? Number.MAX_SAFE_INTEGER;
  }

  private childrenOf(id: string): string[] {
    const group = this.jobs.get(id)?.group;
    const ofGroup = group ? this.children.get(`${GROUP}${group}`) : undefined;
    return [...(this.children.get(id) ?? []), ...(ofGroup ?? [])];
  }

  async load(ids: readonly string[]): Promise<readonly string[]> {
    const missing = ids.filter((id) => !this.jobs.has(id));
    for (let at = 0; at < missing.length; at += AT_ONCE) await this.loadSome(missing.slice(at, at + AT_ONCE));
    return ids;
  }

  private async loadSome(ids: readonly string[]): Promise<void> {
    const jobs = await this.store.getAll(ids, {});
    for (const job of jobs) this.jobs.set(job.id, job);
    const groups = new Set(jobs.flatMap(({ group }) => group ?? []));
    const links = await this.store.dependencies.linksOf(ids, [...groups], MOST_LINKS);
    const asked = new Set(ids); // the others' edges are incomplete
    for (const [child, own] of Map.groupBy(links, (link) => link.child))
      if (asked.has(child)) this.links.set(child, own);
    for (const link of links) this.tie(link);
  }

  private tie(link: Link): void {
    const parent = dependencyText(link);
    const children = this.children.get(parent) ?? new Set();
    this.children.set(parent, children.add(link.child));
    this.seqs.set(link.child, link.childSeq);
    if (link.parentSeq !== null) this.seqs.set(parent, link.parentSeq);
  }
}
