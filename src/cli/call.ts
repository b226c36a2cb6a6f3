// Performs operations of the HTTP API for commands: through the server of the queue, or in this process.

import { actorOn } from '../access/actor.ts';
import type { Answer, Request } from '../library/caller.ts';
import type { AnyQueue } from '../queue/interface.ts';
import type { RemoteQueue } from '../remote/remote-queue.ts';
import type { OperationId } from '../server/operations.ts';

export type Call = <Id extends OperationId>(...request: Request<Id>) => Promise<Answer<Id>>;

export async function callOn<Id extends OperationId>(queue: AnyQueue, ...request: Request<Id>): Promise<Answer<Id>> {
  if (isRemote(queue)) return queue.caller.call(...request);
  const [id, parameters, body] = request;
  const { performHere } = await import('../server/local-call.ts');
  const { local, environment } = queue as AnyQueue & { readonly local: NonNullable<AnyQueue['local']> };
  return (await performHere(local, actorOn(environment), id, parameters, body)) as Answer<Id>;
}

const isRemote = (queue: AnyQueue): queue is RemoteQueue => queue.local === null;
