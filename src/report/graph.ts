// Jobs and their dependencies as a graph, for `graph --json` and the drawings. Contains all jobs that are connected with
// the requested ones, up to a limit.

import { QueueError } from '../errors/errors.ts';
import { dependencyText, type DependencyRule, type ParentOutcome } from '../job/flow/dependencies.ts';
import type { Command, Job, JobState } from '../job/job.ts';
import type { Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import type { Link } from '../store/store.ts';
import { sizeOf } from './group.ts';

/** 'member': the job belongs to a group that other jobs depend on. */
export type GraphRule = DependencyRule | 'member';
export type StateCounts = Readonly<Partial<Record<JobState, number>>>;

/** A job, or a group that other jobs depend on. */
export interface GraphNode {
  /** The job's ID, or 'group:NAME'. */
  readonly id: string;
  readonly name: string | null;
  /** Null for a group. For a deleted job, its final state. */
  readonly state: JobState | null;
  /** Null for a group or a deleted job. */
  readonly command: Command | null;
  /** Number of a group's jobs by state; null for a job. */
  readonly counts: StateCounts | null;
}

/** The child depends on the parent. */
export interface GraphEdge {
  readonly parent: string;
  readonly child: string;
  readonly rule: GraphRule;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Minimum number of jobs left out because of the limit. Jobs that are connected only to those are not counted. */
  readonly leftOut: number;
}

const MOST_JOBS = 1000;
const LINKS_AT_ONCE = 5000;
/** Enough for every link between MOST_JOBS jobs, unless nearly every job depends on nearly all others. */
const MOST_LINKS = 100_000;
const GROUP = 'group:';

/** `target` is a job's ID, ID prefix or name, or 'group:NAME'. */
export async function graphOf(queue: Queue, target: string): Promise<Graph> {
  if (!target.startsWith(GROUP)) {
    const { id } = await queue.find(target);
    return new Explorer(queue).from([id], 0);
  }
  const name = target.slice(GROUP.length);
  const group = await queue.groups.get(name);
  if (group === null) throw new QueueError('group_not_found', { name });
  const ids = await queue.groups.jobsIn(name, MOST_JOBS);
  return new Explorer(queue).from(ids, sizeOf(group.counts) - ids.length);
}

/** Follows dependencies from job to job until no new job is found or the limit is reached. */
class Explorer {
  private readonly queue: Queue;
  private readonly jobs = new Map<string, Job | null>();
  private readonly groups = new Set<string>();
  private readonly links = new Map<string, Link>();
  private readonly beyond = new Set<string>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  async from(ids: readonly string[], leftOut: number): Promise<Graph> {
    for (let next = ids; next.length > 0; ) next = await this.step(next);
    return { nodes: await this.nodes(), edges: this.edges(), leftOut: leftOut + this.beyond.size };
  }

  /** Returns the IDs of connected jobs that are new. */
  private async step(ids: readonly string[]): Promise<string[]> {
    const jobs = await this.queue.getAll(ids);
    for (const id of ids) this.jobs.set(id, null);
    for (const job of jobs) this.jobs.set(job.id, job);
    const groups = new Set(jobs.flatMap(({ group }) => group ?? []).filter((name) => !this.groups.has(name)));
    for (const name of groups) this.groups.add(name);
    const links = await this.linksOf(ids, [...groups]);
    for (const link of links) this.links.set(keyOf(link), link);
    return this.unseen(links.flatMap(({ kind, on, child }) => (kind === 'job' ? [on, child] : [child])));
  }

  /** Queries fewer jobs at a time if one query cannot return all links. */
  private async linksOf(ids: readonly string[], groups: readonly string[]): Promise<Link[]> {
    const links = await this.queue.dependencies.linksOf(ids, groups, LINKS_AT_ONCE);
    if (links.length < LINKS_AT_ONCE || this.links.size > MOST_LINKS) return links;
    if (ids.length + groups.length === 1) return this.queue.dependencies.linksOf(ids, groups, MOST_LINKS);
    const half = (all: readonly string[]) => [all.slice(0, all.length / 2), all.slice(all.length / 2)] as const;
    if (groups.length > 0 && ids.length > 0)
      return [...(await this.linksOf(ids, [])), ...(await this.linksOf([], groups))];
    const [first, second] = half(ids.length > 0 ? ids : groups);
    const ask = (part: readonly string[]) => (ids.length > 0 ? this.linksOf(part, []) : this.linksOf([], part));
    return [...(await ask(first)), ...(await ask(second))];
  }

  private unseen(ids: readonly string[]): string[] {
    const fresh = [...new Set(ids)].filter((id) => !this.jobs.has(id));
    const room = MOST_JOBS - this.jobs.size;
    for (const id of fresh.slice(room)) this.beyond.add(id);
    return fresh.slice(0, room);
  }

  private async nodes(): Promise<GraphNode[]> {
    const groups = await Promise.all([...this.awaited].map((name) => this.groupNode(name)));
    return [...this.inOrder().map(([id, job]) => this.jobNode(id, job)), ...groups];
  }

  /** In creation order, wherever the search began; jobs without links come last. */
  private inOrder(): [string, Job | null][] {
    const seqs = new Map<string, number>();
    for (const { child, childSeq, on, parentSeq } of this.links.values()) {
      seqs.set(child, childSeq);
      if (parentSeq !== null) seqs.set(on, parentSeq);
    }
    const placeOf = (id: string): number => seqs.get(id) ?? Number.MAX_SAFE_INTEGER;
    return [...this.jobs].sort(([a], [b]) => placeOf(a) - placeOf(b));
  }

  /** Groups that jobs depend on. */
  private get awaited(): Set<string> {
    return new Set([...this.links.values()].filter(({ kind }) => kind === 'group').map(({ on }) => on));
  }

  private jobNode(id: string, job: Job | null): GraphNode {
    if (job) return { id, name: job.name, state: job.state, command: job.command, counts: null };
    const outcome = [...this.links.values()].find(({ kind, on }) => kind === 'job' && on === id)?.outcome;
    return { id, name: null, state: stateOf(outcome ?? 'deleted'), command: null, counts: null };
  }

  private async groupNode(name: string): Promise<GraphNode> {
    const counts = (await this.queue.groups.get(name))?.counts ?? {};
    return { id: `${GROUP}${name}`, name: null, state: null, command: null, counts };
  }

  private edges(): GraphEdge[] {
    const waits = [...this.links.values()]
      .map((link) => ({ parent: dependencyText(link), child: link.child, rule: link.rule }))
      .filter(({ parent, child }) => (parent.startsWith(GROUP) || this.jobs.has(parent)) && this.jobs.has(child));
    return [...waits, ...this.memberships(waits)];
  }

  /** Connects the jobs of a group that have no dependents to the group. */
  private memberships(waits: readonly GraphEdge[]): GraphEdge[] {
    const isWaitedFor = new Set(waits.map(({ parent }) => parent));
    const { awaited } = this;
    return [...this.jobs.values()].flatMap((job) =>
      job !== null && job.group !== null && awaited.has(job.group) && !isWaitedFor.has(job.id)
        ? [{ parent: job.id, child: `${GROUP}${job.group}`, rule: 'member' as const }]
        : [],
    );
  }
}

const keyOf = ({ child, kind, on, rule }: Link): string => [child, kind, on, rule].join('\0');

/** A job that was deleted before it finished counts as cancelled. */
const stateOf = (outcome: ParentOutcome): JobState => (outcome === 'deleted' ? 'cancelled' : outcome);

export const graphToJson = ({ nodes, edges, leftOut }: Graph): Json => ({
  nodes,
  edges,
  left_out: leftOut,
});
