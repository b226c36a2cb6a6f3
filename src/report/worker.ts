// A worker as JSON: the same for CLI, HTTP and library.

import { isoTime, type Json } from '../job/wire.ts';
import type { WorkerView } from '../queue.ts';

export function workerToJson(worker: WorkerView): Json {
  return {
    id: worker.id,
    pid: worker.pid,
    host: worker.host,
    state: worker.state,
    started_at: isoTime(worker.startedAt),
    last_heartbeat: isoTime(worker.lastHeartbeat),
    queues: worker.queues,
    concurrency: worker.concurrency,
    current_jobs: worker.running,
    notice: worker.notice,
  };
}
