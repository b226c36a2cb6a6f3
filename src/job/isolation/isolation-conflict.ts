// What a queue, or the settings for all queues, require of a job: its sandbox and its user. A job may name the same or
// nothing; another one is refused, be it stricter or not, as nobody could say which of two sandboxes is. Pure.

import type { Confinement } from './isolation.ts';

export type Required = Pick<Confinement, 'sandbox' | 'user'>;

/** What is set for the queue goes before what is set for all. */
export function requiredOf(ofQueue: Required, ofAll: Required): Required {
  const [sandbox, user] = [ofQueue.sandbox ?? ofAll.sandbox, ofQueue.user ?? ofAll.user];
  return { ...(sandbox !== undefined && { sandbox }), ...(user !== undefined && { user }) };
}

/** In a sentence; null: there is none. */
export function conflictOf(own: Required, required: Required, queue: string): string | null {
  if (differs(own.sandbox, required.sandbox))
    return `queue '${queue}' requires the sandbox '${required.sandbox}', but the job requests '${own.sandbox}'`;
  if (differs(own.user, required.user))
    return `queue '${queue}' requires the user '${required.user}', but the job requests '${own.user}'`;
  return null;
}

const differs = (own: string | undefined, required: string | undefined): boolean =>
  own !== undefined && required !== undefined && own !== required;
