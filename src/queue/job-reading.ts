// Looking jobs up: the part of the library facade that changes nothing. By id, name or prefix, by a filter, page by page;
// what their attempts were and wrote.

import type { Variables } from '../job/environment/environment.ts';
import type { Attempt, Job } from '../job/job.ts';
import type { AttemptOutput } from '../output/attempt-output.ts';
import type { Counted, FoundPage } from './paging.ts';
import { jobCalled } from '../intake/parents.ts';
import { isAmong, isCounted } from '../store/sql/job-filter.ts';
import type {
  Dependencies,
  JobFilter,
  ListQuery,
  Overview,
  PageQuery,
  Store,
  Waits,
} from '../store/store.ts';

export class JobReading {
  /** For workers, maintenance and moves. Commands and reports use the methods below, which scripts/directions.ts checks. */
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /**
   * The job with this id, else the newest of this name, else the only one whose id starts with it; else job_not_found or
   * ambiguous_id.
   */
  async find(idOrName: string): Promise<Job> {
    const named = (await this.store.get(idOrName)) ?? (await this.store.findNamed(idOrName, null));
    return named ?? this.store.find(idOrName);
  }

  /** In the order given, a job named twice once. */
  async findAll(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const found = new Map<string, Job>();
    for (const given of idsOrPrefixes) {
      const job = await this.find(given);
      found.set(job.id, job);
    }
    return [...found.values()];
  }

  /** The job of this id, name or start of an id; a job that asks means what it waited for, or one of its group, first. */
  findCalled(idOrName: string, askerId?: string): Promise<Job> {
    return jobCalled(this.store, idOrName, askerId);
  }

  /** By its whole id. */
  get(id: string): Promise<Job | null> {
    return this.store.get(id);
  }

  /** In the order of the ids; those that are gone or do not match (any more) are left out. */
  getAll(ids: readonly string[], filter: JobFilter = {}): Promise<Job[]> {
    return this.store.getAll(ids, filter);
  }

  list(query: ListQuery): Promise<Job[]> {
    return this.store.list(query);
  }

  /** The ids that list() would answer, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]> {
    return this.store.idsOf(query);
  }

  /** How many jobs match, from the counters. null: they do not have this filter, and a count would take long. */
  async countOf(filter: JobFilter): Promise<number | null> {
    if (!isCounted(filter)) return null;
    const { queues } = await this.overview();
    const counters = queues.flatMap(({ queue, counts }) =>
      Object.entries(counts).map(([state, n]) => ({ queue, state, n })),
    );
    return counters.filter((counter) => isAmong(filter, counter)).reduce((sum, { n }) => sum + n, 0);
  }

  /** Jobs a page at a time; each page says where the next one begins. */
  async page(query: Omit<PageQuery, 'lookAt'>): Promise<FoundPage> {
    const { pageOf } = await import('./paging.ts');
    return pageOf(this.store, query);
  }

  /** How many jobs match: from the counters if they know, else counted up to `most` and as far as a short time allows. */
  async count(filter: JobFilter, most: number): Promise<Counted> {
    const known = await this.countOf(filter);
    if (known !== null) return { count: known, isExact: true };
    const { countUpTo } = await import('./paging.ts');
    return countUpTo(this.store, filter, most);
  }

  history(id: string): Promise<Attempt[]> {
    return this.store.history(id);
  }

  /** The environment that a job inherited from the shell it was enqueued in. null: it runs with that of its worker. */
  environmentOf(jobId: string): Promise<Variables | null> {
    return this.store.environments.ofJob(jobId);
  }

  /** What an attempt wrote, wherever it ran. */
  async outputOf(job: Job, attempt: Attempt): Promise<AttemptOutput> {
    const { AttemptOutput } = await import('../output/attempt-output.ts');
    return new AttemptOutput(this.store, job.id, attempt);
  }

  /** Costs the same whatever the number of jobs. */
  overview(): Promise<Overview> {
    return this.store.overview();
  }

  /** Who waits for whom, and with what result. */
  get dependencies(): Omit<Dependencies, 'advance'> {
    return this.store.dependencies;
  }

  /** What keeps jobs waiting. */
  get waits(): Waits {
    return this.store.waits;
  }

  /** Names and keys that jobs were given, the first `limit` of each. */
  async namesInUse(limit: number): Promise<{ names: string[]; keys: string[] }> {
    const { words } = this.store;
    return { names: await words.names(limit), keys: await words.keys(limit) };
  }
}
