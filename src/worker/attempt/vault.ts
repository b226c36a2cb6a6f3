// Source of the secrets of attempts, and the location of their files. Its code is loaded when the first job needs it.

import { QueueError } from '../../errors/errors.ts';
import { folderOfAttempt } from '../../maintenance/sweep-leftovers.ts';
import type { Lease } from '../../store/store.ts';
import type { QueueBackend } from '../start-worker.ts';

export interface Vault {
  valueOf(name: string): Promise<Buffer>;
  /** Returns a separate directory for each attempt. */
  folderOf(lease: Lease): string;
}

export const vaultOf = ({ store, place, environment }: QueueBackend, workerId: string): Vault => ({
  valueOf: async (name) => {
    const { QueueSecrets } = await import('../../secrets/secrets.ts');
    return new QueueSecrets(store, place, environment).valueOf(name).catch(withHint);
  },
  folderOf: (lease) => folderOfAttempt(place.run, workerId, lease),
});

/** Appends the hint to the reason, because a worker does not print hints. */
function withHint(error: unknown): never {
  if (!(error instanceof QueueError) || error.hint === null) throw error;
  throw new Error(`${error.message}; ${error.hint}`, { cause: error });
}
