// Counts new jobs by queue.

import type { NewJob } from '../job/job.ts';

export function countQueue(queues: Map<string, number>, { queue }: NewJob): void {
  queues.set(queue, (queues.get(queue) ?? 0) + 1);
}

export function jobsByQueue(jobs: readonly NewJob[]): Map<string, number> {
  const queues = new Map<string, number>();
  for (const job of jobs) countQueue(queues, job);
  return queues;
}
