// Operations of the API performed in this process, for a user of this machine, who may do anything. Only operations that need
// nothing of a running server, such as its streams and uploads, can be performed so.

import type { Queue } from '../queue/queue.ts';
import { checked } from './http/read-request.ts';
import type { OperationId } from './operations.ts';
import type { Asked, Json } from './route.ts';
import { ROUTES } from './routes/routes.ts';

/** `parameters` are those of the path and the query. The command has checked them: they mean what they would mean locally. */
export async function performHere(
  queue: Queue,
  actor: string,
  id: OperationId,
  parameters: unknown,
  body: unknown = {},
): Promise<unknown> {
  const route = ROUTES.find((one) => one.id === id);
  if (!route) throw new Error(`there is no operation ${id}`);
  const asked: Partial<Asked<unknown, unknown, unknown>> = {
    queue,
    principal: { name: actor, role: 'admin' },
    path: parameters,
    query: route.query && checked(route.query, parameters, 'the query'),
    body: route.body && checked(route.body, body, 'the body'),
  };
  return ((await route.handle(asked as never)) as Json).json;
}
