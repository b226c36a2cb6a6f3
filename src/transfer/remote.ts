// Transfers of a queue that is used through a server: that one reads and stores, and here the lines only pass by. Whoever
// exports or imports a queue asks first whether somebody else does.

import type { Exported, Out, Wanted } from './export.ts';
import type { Imported, ImportOptions, ImportProgress } from './import.ts';

export interface RemoteTransfers {
  export(wanted: Wanted, write: Out, progress: (jobs: number) => void): Promise<Exported>;
  /** `size` of all that comes; null: not known. */
  import(
    bytes: AsyncIterable<Uint8Array>,
    size: number | null,
    options: ImportOptions,
    progress: ImportProgress,
  ): Promise<Imported>;
}

/** null: this queue is read and written here. */
export const remoteTransfers = (queue: object): RemoteTransfers | null =>
  'transfers' in queue ? (queue.transfers as RemoteTransfers) : null;
