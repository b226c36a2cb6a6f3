// Performs API operations in this process for a user of this machine, who has every role. Operations that need a
// running server, such as streams and uploads, cannot be performed this way.

import type { Queue } from '../queue/queue.ts';
import { checked } from './http/read-request.ts';
import type { OperationId } from './operations.ts';
import type { RouteRequest, Json } from './route.ts';
import { ROUTES } from './routes/routes.ts';

/** `parameters` contains those of the path and the query; the command has checked those of the path. */
export async function performHere(
  queue: Queue,
  actor: string,
  id: OperationId,
  parameters: unknown,
  body: unknown = {},
): Promise<unknown> {
  const route = ROUTES.find((one) => one.id === id);
  if (!route) throw new Error(`operation ${id} not found`);
  const asked: Partial<RouteRequest<unknown, unknown, unknown>> = {
    queue,
    principal: { name: actor, role: 'admin' },
    path: parameters,
    query: route.query && checked(route.query, parameters, 'the query'),
    body: route.body && checked(route.body, body, 'the body'),
  };
  return ((await route.handle(asked as never)) as Json).json;
}
