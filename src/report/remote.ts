// Reports of a queue that is used through a server: that one makes them, and here they are only read. Each function that
// makes a report first asks whether the queue is a remote one.

import type { Details } from './details.ts';
import type { Graph } from './graph.ts';
import type { JobPage } from './job-pages.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { QueueView } from './queues.ts';
import type { Series, SeriesQuery } from './metrics/series.ts';
import type { Status } from './status.ts';
import type { ListQuery } from '../store/store.ts';

export interface RemoteReports {
  status(queue: string | undefined): Promise<Status>;
  details(id: string): Promise<Details>;
  /** Of a job, or of 'group:NAME'. */
  graph(target: string): Promise<Graph>;
  queues(): Promise<QueueView[]>;
  metrics(): Promise<Metrics>;
  series(query: SeriesQuery): Promise<Series>;
  /** As text. */
  prometheus(): Promise<string>;
  pages(query: ListQuery): AsyncIterable<JobPage>;
}

/** null: reports of this queue are made here. */
export const remoteReports = (queue: object): RemoteReports | null =>
  'reports' in queue ? (queue.reports as RemoteReports) : null;
