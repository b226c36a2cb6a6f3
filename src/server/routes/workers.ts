// Workers: list them with their jobs, and stop them.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import { workerToJson } from '../../report/workers.ts';
import { workersById, workersOn } from '../../worker/control/choose.ts';
import { rescueNow } from '../../worker/start-worker.ts';
import { type StopProgress, stopWorkers } from '../../worker/control/stop.ts';
import { LINES, type Lines, lineAnswer } from '../http/line-answer.ts';
import { route } from '../route.ts';
import { idPath } from '../schema/parameters.ts';
import { workerSchema } from '../schema/worker.ts';

const listWorkers = route({
  id: 'listWorkers',
  summary: 'List workers with their running jobs',
  role: 'viewer',
  answers: {
    200: { help: 'Workers', schema: z.object({ workers: z.array(workerSchema), next: z.null() }) },
  },
  handle: async ({ queue }) => ({ json: { workers: (await queue.workers()).map(workerToJson), next: null } }),
});

const stopWorker = route({
  id: 'stopWorker',
  summary: 'Stop a worker after its running jobs have finished',
  role: 'operator',
  parameters: idPath,
  body: z.strictObject({
    force: z.boolean().default(false).describe('Stop the worker’s jobs now and requeue them'),
  }),
  isBodyOptional: true,
  answers: { 202: { help: 'The worker is stopping', schema: workerSchema } },
  handle: async ({ queue, path, body }) => {
    const worker = await workerOf(queue, path.id);
    await queue.requestStop([worker.id], body.force ? 'force' : 'graceful');
    const now = (await queue.workers()).find(({ id }) => id === worker.id);
    return { status: 202, json: workerToJson(now ?? { ...worker, state: 'stopping' }) };
  },
});

const chosenSchema = z.object({
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  state: z.enum(['stopped', 'stopping', 'lost']),
});

const stopWorkersRoute = route({
  id: 'stopWorkers',
  summary: 'Stop workers by ID, by host or all, and report progress until they have stopped',
  role: 'operator',
  body: z.strictObject({
    workers: z.array(z.string().min(1).max(128)).min(1).max(1000).optional().describe('IDs or unique prefixes of IDs'),
    host: z.string().optional().describe('Stop the workers of this host'),
    all: z.literal(true).optional().describe('Stop the workers of all hosts'),
    force: z.boolean().default(false).describe('Stop the workers’ jobs now and requeue them'),
    wait: z.boolean().default(true).describe('Wait until the workers have stopped; false only sends the request'),
  }),
  answers: {
    200: {
      help: 'JSON lines with progress, {"left": [{"id", "running"}], "elapsed_ms"}, and finally {"workers": [{"id", "pid", "host", "state"}]}. Workers also stop if the client disconnects',
      contentType: LINES,
      schema: z.string(),
    },
    202: { help: 'The workers are stopping', schema: z.object({ workers: z.array(chosenSchema) }) },
  },
  handle: async ({ queue, body, server }) => {
    const chosen = choose(await queue.workers(), body);
    await rescueNow(queue);
    const alive = chosen.filter(({ state }) => state !== 'lost');
    const ids = alive.map(({ id }) => id);
    const mode = body.force ? 'force' : 'graceful';
    const answer = (stateOf: (id: string) => string) => ({
      workers: alive.map(({ id, pid, host }) => ({ id, pid, host, state: stateOf(id) })),
    });
    if (!body.wait) {
      await queue.requestStop(ids, mode);
      return { status: 202, json: answer(() => 'stopping') };
    }
    return lineAnswer(async (lines) => {
      const left = await stopWorkers(queue, ids, mode, goOnFor(lines));
      const lost = new Set(left.map(({ id }) => id));
      await lines.write(`${JSON.stringify(answer((id) => (lost.has(id) ? 'lost' : 'stopped')))}\n`);
    }, server.log);
  },
});

const TELL_EVERY_MS = 200;

/** Reports progress. Returns false when the client has disconnected, or when only unresponsive workers are left. */
function goOnFor(lines: Lines): (progress: StopProgress) => boolean {
  let toldAt = Number.NEGATIVE_INFINITY;
  return ({ left, elapsedMs }) => {
    if (elapsedMs - toldAt >= TELL_EVERY_MS) {
      toldAt = elapsedMs;
      lines.tell({
        left: left.map(({ id, running }) => ({ id, running })),
        elapsed_ms: Math.round(elapsedMs),
      });
    }
    return !lines.isGone && !left.every(({ isSilent }) => isSilent);
  };
}

interface Choice {
  readonly workers?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly all?: true | undefined;
}

function choose(known: readonly WorkerView[], { workers, host, all }: Choice): readonly WorkerView[] {
  if ([workers, host, all].filter((way) => way !== undefined).length !== 1)
    throw new QueueError('invalid_request', {
      where: 'the body',
      problem: "requires exactly one of 'workers', 'host' and 'all'",
    });
  if (workers) return [...new Set(workersById(known, workers))];
  return host === undefined ? known : workersOn(known, host);
}

async function workerOf(queue: Queue, id: string): Promise<WorkerView> {
  const worker = (await queue.workers()).find((one) => one.id === id);
  if (!worker) throw new QueueError('worker_not_found', { id });
  return worker;
}

export const workerRoutes = [listWorkers, stopWorkersRoute, stopWorker];
