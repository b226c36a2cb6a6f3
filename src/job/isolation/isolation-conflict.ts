// The sandbox and user that a queue or the global settings require. A job may name the same ones or none. Any other is
// rejected, because sandboxes cannot be ordered by strictness. Pure.

import type { Confinement } from './isolation.ts';

export type Required = Pick<Confinement, 'sandbox' | 'user'>;

/** The queue's values take precedence over the global ones. */
export function requiredOf(ofQueue: Required, ofAll: Required): Required {
  const [sandbox, user] = [ofQueue.sandbox ?? ofAll.sandbox, ofQueue.user ?? ofAll.user];
  return { ...(sandbox !== undefined && { sandbox }), ...(user !== undefined && { user }) };
}

/** Returns a sentence, or null if there is no conflict. */
export function conflictOf(own: Required, required: Required, queue: string): string | null {
  if (differs(own.sandbox, required.sandbox))
    return `queue '${queue}' requires the sandbox '${required.sandbox}', but the job requests '${own.sandbox}'`;
  if (differs(own.user, required.user))
    return `queue '${queue}' requires the user '${required.user}', but the job requests '${own.user}'`;
  return null;
}

const differs = (own: string | undefined, required: string | undefined): boolean =>
  own !== undefined && required !== undefined && own !== required;
