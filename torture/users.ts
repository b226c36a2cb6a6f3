// Random user actions, each with its own connection, like a command.

import { QueueError } from '../src/errors/errors.ts';
import type { Queue } from '../src/queue/queue.ts';
import type { Arena } from './arena.ts';
import type { Chance } from './chance.ts';
import { edit, move, runNow } from './deeds/changes.ts';
import type { Deed } from './deeds/deed.ts';
import { enqueueFlow } from './deeds/flows.ts';
import { enqueueReserving, enqueueTooHeavy } from './deeds/heavy.ts';
import { enqueueHooked } from './deeds/hooks.ts';
import { changeJobLimit, changeQueueLimit, enqueueKeyed, enqueueLimited } from './deeds/limits.ts';
import { pauseQueue } from './deeds/pauses.ts';
import { cancel, changeSetting, enqueue, hold, release, remove, retry } from './deeds/plain.ts';
import { tendSchedules } from './deeds/schedules.ts';
import { enqueueArray, enqueueFleeting, enqueueSnoozing, prune } from './deeds/special.ts';
import { exportAll, importSome, migrateSide } from './deeds/transfers.ts';
import { enqueueUnique } from './deeds/unique.ts';
import { enqueueOverHttp } from './deeds/web.ts';

/** Enqueueing is the most frequent action. */
const DEEDS = {
  /** Actions on single jobs. */
  plain: [enqueue, enqueue, enqueue, cancel, retry, remove, changeSetting, changeJobLimit],
  /** All actions. */
  all: [
    ...[enqueue, enqueue, enqueue, enqueueFlow, enqueueFlow, enqueueKeyed, enqueueLimited, enqueueUnique],
    ...[cancel, retry, remove, hold, release, pauseQueue, changeSetting, changeJobLimit, changeQueueLimit],
    ...[tendSchedules, tendSchedules, move, edit, runNow, enqueueReserving, enqueueTooHeavy, enqueueHooked],
    ...[enqueueArray, enqueueSnoozing, enqueueFleeting, prune, exportAll, importSome, migrateSide, enqueueOverHttp],
  ],
} as const satisfies Record<string, readonly Deed[]>;

export type Deeds = keyof typeof DEEDS;

/** Returns the error code if the action was rejected. */
export async function doSomething(arena: Arena, chance: Chance, deeds: Deeds): Promise<string | null> {
  const deed = chance.pick(DEEDS[deeds]) as Deed;
  let queue: Queue | null = null;
  try {
    queue = await arena.openQueue(5000);
    await deed(arena, queue, chance);
    return null;
  } catch (error) {
    if (error instanceof QueueError) return error.code;
    throw error;
  } finally {
    await queue?.close();
  }
}
