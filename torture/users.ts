// Random user actions, each with its own connection, like a command.

import { QueueError } from '../src/errors/errors.ts';
import type { Queue } from '../src/queue/queue.ts';
import type { Arena } from './arena.ts';
import type { Chance } from './chance.ts';
import { edit, move, runNow } from './actions/changes.ts';
import type { Action } from './actions/action.ts';
import { enqueueFlow } from './actions/flows.ts';
import { enqueueReserving, enqueueTooHeavy } from './actions/heavy.ts';
import { enqueueHooked } from './actions/hooks.ts';
import { changeJobLimit, changeQueueLimit, enqueueKeyed, enqueueLimited } from './actions/limits.ts';
import { pauseQueue } from './actions/pauses.ts';
import { cancel, changeSetting, enqueue, hold, release, remove, retry } from './actions/plain.ts';
import { tendSchedules } from './actions/schedules.ts';
import { enqueueArray, enqueueFleeting, enqueueSnoozing, prune } from './actions/special.ts';
import { exportAll, importSome, migrateSide } from './actions/transfers.ts';
import { enqueueUnique } from './actions/unique.ts';
import { enqueueOverHttp } from './actions/web.ts';

/** Enqueueing is the most frequent action. */
const ACTIONS = {
  /** Actions on single jobs. */
  plain: [enqueue, enqueue, enqueue, cancel, retry, remove, changeSetting, changeJobLimit],
  /** All actions. */
  all: [
    ...[enqueue, enqueue, enqueue, enqueueFlow, enqueueFlow, enqueueKeyed, enqueueLimited, enqueueUnique],
    ...[cancel, retry, remove, hold, release, pauseQueue, changeSetting, changeJobLimit, changeQueueLimit],
    ...[tendSchedules, tendSchedules, move, edit, runNow, enqueueReserving, enqueueTooHeavy, enqueueHooked],
    ...[enqueueArray, enqueueSnoozing, enqueueFleeting, prune, exportAll, importSome, migrateSide, enqueueOverHttp],
  ],
} as const satisfies Record<string, readonly Action[]>;

export type ActionKind = keyof typeof ACTIONS;

/** Returns the error code if the action was rejected. */
export async function performAction(arena: Arena, chance: Chance, actions: ActionKind): Promise<string | null> {
  const action = chance.pick(ACTIONS[actions]) as Action;
  let queue: Queue | null = null;
  try {
    queue = await arena.openQueue(5000);
    await action(arena, queue, chance);
    return null;
  } catch (error) {
    if (error instanceof QueueError) return error.code;
    throw error;
  } finally {
    await queue?.close();
  }
}
