// What a move of a queue from one store to another needs of the port: whole jobs, and a hold on each of the two queues.

import type { OutputPart } from '../job/output.ts';

/** A row by its columns, which have the same names in every store. */
export type Cells = Readonly<Record<string, string | number | null>>;

/** A whole job on its way from one store to another. */
export interface CopiedJob {
  readonly job: Cells;
  /** The text of its environment, which has another id in each store. */
  readonly environment: string | null;
  readonly attempts: readonly CopiedAttempt[];
}

export interface CopiedAttempt {
  readonly cells: Cells;
  /** What it wrote and the store is to keep, from its first byte on each time it is called. */
  readonly output?: (() => AsyncIterable<OutputPart>) | undefined;
}

/** While it is held, no worker can register. It ends with the process that holds it, however that ends. */
export interface Hold {
  /** Whether it has been held all the time; if not, a worker may have registered meanwhile. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}
