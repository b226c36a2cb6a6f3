// Serves the API to jobs at their worker's sockets. It has its own database connection, so that requests of jobs cannot
// delay lease renewals.

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { Queue } from '../../queue/queue.ts';
import type { JobServer, JobSocket } from '../../worker/job-socket/job-socket.ts';
import { type Incoming, makeApp } from '../http/app.ts';
import { BulkRuns } from '../bulk-runs.ts';
import { jobGate } from './job-gate.ts';
import { jobRoutes } from './job-routes.ts';
import { LIMITS } from '../http/server-limits.ts';
import { Hub } from '../live/hub.ts';

/** Does not wait longer for a store that does not respond. */
const CLOSE_WITHIN_MS = 1000;

export function serveJobs(queue: Queue, version: string, log: (line: string) => void): JobServer {
  const sockets = new WeakMap<object, JobSocket>();
  const cameBy = new WeakMap<Request, JobSocket>();
  const bulk = new BulkRuns(queue);
  const live = new Hub({ queue, bulk, limits: LIMITS, log });
  const app = makeApp({
    ...{ queue, bulk, live, version, log },
    gate: jobGate((request) => cameBy.get(request)),
    routes: jobRoutes(),
    page: { answer: () => null },
    isReadOnly: false,
  });
  const fetch = (request: Request, env: Incoming): Response | Promise<Response> => {
    const socket = env.incoming && sockets.get(env.incoming.socket);
    if (socket) cameBy.set(request, socket);
    return app.fetch(request, env);
  };
  const http = createServer(
    { requestTimeout: LIMITS.requestWithinMs, keepAliveTimeout: LIMITS.keepAliveMs },
    getRequestListener(fetch as Parameters<typeof getRequestListener>[0], { overrideGlobalObjects: false }),
  );
  http.setTimeout(LIMITS.silentWithinMs);
  return {
    accept: (connection: Socket, from: JobSocket) => {
      sockets.set(connection, from);
      http.emit('connection', connection);
      connection.resume();
    },
    close: async () => {
      live.close();
      await bulk.close();
      await Promise.race([queue.close(), sleep(CLOSE_WITHIN_MS)]);
    },
  };
}
