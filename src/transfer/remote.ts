// Transfers of a queue that is used through a server: that one reads and stores, and here the lines only pass through.
// An export or import first asks whether the queue is a remote one.

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
