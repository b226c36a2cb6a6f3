// Exports what a worker ran to an OpenTelemetry collector: a span for each attempt, plus one for the enqueueing of its
// job with the first. Spans are built when they are sent, from notes about the attempt and the job in the store.

import type { Attempt, Ending, Job } from '../job/job.ts';
import { TRACEPARENT, traceparentOf } from '../job/environment/trace-context.ts';
import type { Claimed, Rescued, Settled } from '../store/store.ts';
import { tracingConfig } from './config.ts';
import { Exporter } from './exporter.ts';
import { attemptSpanId, type TracedJob, traceOf } from './ids.ts';
import { linksOf, type TracedStore } from './links.ts';
import { makePoster } from './post.ts';
import type { Sampler } from './sampler.ts';
import { type EndedAttempt, requestOf, spansOf } from './span.ts';

/** Maximum wait for the last spans when a worker exits. */
const END_WITHIN_MS = 1000;

export interface TracerContext {
  readonly store: TracedStore;
  readonly worker: { readonly id: string; readonly host: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

/** A worker's notes about an ended attempt. The store adds the resulting state of the job. */
export type Noted = Omit<EndedAttempt, 'state'>;

/** For an attempt of another worker, all data comes from the store. */
type Lost = Pick<Rescued, 'jobId' | 'run'>;

export class Tracer {
  private readonly context: TracerContext;
  private readonly sampler: Sampler;
  private readonly resource: Readonly<Record<string, string>>;
  private readonly exporter: Exporter<EndedAttempt | Lost>;

  /** Throws if the tracing variables are invalid. */
  constructor(context: TracerContext) {
    const config = tracingConfig(context.environment);
    this.context = context;
    this.sampler = config.sampler;
    this.resource = { ...config.resource, 'host.name': context.worker.host };
    this.exporter = new Exporter({
      ...config,
      poster: makePoster(config),
      write: (batch) => this.write(batch),
      log: context.log,
    });
  }

  /** Trace variables for the command, so that its own spans become children of the attempt. */
  variables({ job, run }: Claimed): Readonly<Record<string, string>> {
    const { traceId } = traceOf(job);
    const spanId = attemptSpanId(job, run);
    return { [TRACEPARENT]: traceparentOf({ traceId, spanId, isSampled: this.isSampled(job) }) };
  }

  note({ job, run, waitedMs }: Claimed, ending: Ending): Noted {
    const { outcome, exitCode, signal, error } = ending;
    const endedAt = this.context.store.now();
    const { id: worker, host } = this.context.worker;
    const { id, createdAt, env, queue, group, command } = job;
    return {
      job: { id, createdAt, env, queue, group, command },
      run,
      number: job.attempts,
      worker,
      host,
      startedAt: endedAt - ending.durationMs,
      endedAt,
      outcome,
      exitCode,
      signal,
      error,
      waitedMs,
    };
  }

  /** Called when the store has recorded the ending. */
  settled(noted: Noted, state: NonNullable<Settled['state']>): void {
    if (this.isSampled(noted.job)) this.exporter.add({ ...noted, state });
  }

  /** Called for an attempt of a lost worker. */
  lost({ jobId, run }: Rescued): void {
    this.exporter.add({ jobId, run });
  }

  /** Call before the store is closed. Takes at most a moment, whatever the collector does. */
  end(): Promise<void> {
    return this.exporter.end(END_WITHIN_MS);
  }

  private isSampled(job: TracedJob): boolean {
    const { traceId, parent } = traceOf(job);
    return this.sampler(traceId, parent);
  }

  private async write(batch: readonly (EndedAttempt | Lost)[]): Promise<string> {
    const ids = new Set(batch.map((item) => ('job' in item ? item.job.id : item.jobId)));
    const jobs = await this.jobsOf([...ids]);
    const spans: unknown[] = [];
    for (const item of batch) spans.push(...(await this.spansOf(item, jobs)));
    return requestOf(this.resource, spans);
  }

  /** If the store fails, spans are sent without links. */
  private async jobsOf(ids: readonly string[]): Promise<Map<string, Job>> {
    const jobs = await this.context.store.getAll(ids, {}).catch((): Job[] => []);
    return new Map(jobs.map((job) => [job.id, job]));
  }

  private async spansOf(item: EndedAttempt | Lost, jobs: ReadonlyMap<string, Job>): Promise<unknown[]> {
    const { store } = this.context;
    const job = jobs.get('job' in item ? item.job.id : item.jobId);
    const ended = 'job' in item ? item : await this.found(item, job);
    if (ended === null) return [];
    const isThat = job?.createdAt === ended.job.createdAt; // not a later job with the same ID
    const links = job && isThat ? linksOf(store, job, ended.startedAt).catch(() => []) : [];
    return spansOf(ended, await links);
  }

  /** Returns null if the job is gone or not traced. */
  private async found({ run }: Lost, job: Job | undefined): Promise<EndedAttempt | null> {
    if (!job || !this.isSampled(job)) return null;
    const attempts = await this.context.store.history(job.id).catch((): Attempt[] => []);
    const attempt = attempts.find((one) => one.run === run);
    if (!attempt) return null;
    const { number, workerId, host, startedAt, outcome, exitCode, signal, error } = attempt;
    const endedAt = attempt.endedAt ?? this.context.store.now();
    const how = { outcome, exitCode, signal, error, state: job.state, waitedMs: null };
    return { job, run, number, worker: workerId, host, startedAt, endedAt, ...how };
  }
}
