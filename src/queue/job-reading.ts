// The read-only part of the library facade: finds jobs by ID, name, prefix or filter, in pages, with their attempts and
// output.

import type { Variables } from '../job/environment/environment.ts';
import type { Attempt, Job } from '../job/job.ts';
import type { AttemptOutput } from '../output/attempt-output.ts';
import type { Counted, FoundPage } from './paging.ts';
import { jobCalled } from '../intake/parents.ts';
import { isAmong, isCounted } from '../store/sql/job-filter.ts';
import type { Dependencies, JobFilter, ListQuery, Overview, PageQuery, Store, Waits } from '../store/store.ts';

export class JobReading {
  /**
   * For workers, maintenance and moves. Commands and reports use the methods below; scripts/directions.ts enforces
   * this.
   */
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async find(idOrName: string): Promise<Job> {
    const named = (await this.store.get(idOrName)) ?? (await this.store.findNamed(idOrName, null));
    return named ?? this.store.find(idOrName);
  }

  async findAll(idsOrPrefixes: readonly string[]): Promise<Job[]> {
    const found = new Map<string, Job>();
    for (const given of idsOrPrefixes) {
      const job = await this.find(given);
      found.set(job.id, job);
    }
    return [...found.values()];
  }

  findCalled(idOrName: string, askerId?: string): Promise<Job> {
    return jobCalled(this.store, idOrName, askerId);
  }

  get(id: string): Promise<Job | null> {
    return this.store.get(id);
  }

  getAll(ids: readonly string[], filter: JobFilter = {}): Promise<Job[]> {
    return this.store.getAll(ids, filter);
  }

  list(query: ListQuery): Promise<Job[]> {
    return this.store.list(query);
  }

  idsOf(query: ListQuery): Promise<string[]> {
    return this.store.idsOf(query);
  }

  async countOf(filter: JobFilter): Promise<number | null> {
    if (!isCounted(filter)) return null;
    const { queues } = await this.overview();
    const counters = queues.flatMap(({ queue, counts }) =>
      Object.entries(counts).map(([state, n]) => ({ queue, state, n })),
    );
    return counters.filter((counter) => isAmong(filter, counter)).reduce((sum, { n }) => sum + n, 0);
  }

  /** Returns one page of jobs and the position of the next. */
  async page(query: Omit<PageQuery, 'lookAt'>): Promise<FoundPage> {
    const { pageOf } = await import('./paging.ts');
    return pageOf(this.store, query);
  }

  /** Counts from the counters if possible, else by scanning, up to `most` and within a short time. */
  async count(filter: JobFilter, most: number): Promise<Counted> {
    const known = await this.countOf(filter);
    if (known !== null) return { count: known, isExact: true };
    const { countUpTo } = await import('./paging.ts');
    return countUpTo(this.store, filter, most);
  }

  history(id: string): Promise<Attempt[]> {
    return this.store.history(id);
  }

  environmentOf(jobId: string): Promise<Variables | null> {
    return this.store.environments.ofJob(jobId);
  }

  async outputOf(job: Job, attempt: Attempt): Promise<AttemptOutput> {
    const { AttemptOutput } = await import('../output/attempt-output.ts');
    return new AttemptOutput(this.store, job.id, attempt);
  }

  overview(): Promise<Overview> {
    return this.store.overview();
  }

  /** Dependencies between jobs, and their outcomes. */
  get dependencies(): Omit<Dependencies, 'advance'> {
    return this.store.dependencies;
  }

  /** Why jobs are waiting. */
  get waits(): Waits {
    return this.store.waits;
  }

  async namesInUse(limit: number): Promise<{ names: string[]; keys: string[] }> {
    const { words } = this.store;
    return { names: await words.names(limit), keys: await words.keys(limit) };
  }
}
