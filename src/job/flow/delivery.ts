// The job that delivers a webhook. Only the store creates one, for a hook, so `hookOf` tells it from a job that a user made
// to look like one: users can set neither that field nor this command.

import type { Command, NewJob } from '../job.ts';

/** What people see in lists. A worker runs its own program in place of this, wherever that is on its host. */
const DELIVER: readonly string[] = ['webhook', 'POST'];
/** What earlier versions stored in its place, and what runs. */
export const DELIVERY_PROGRAM: readonly string[] = ['queuectl', '__webhook'];

export const deliveryCommand = (address: string): Command => [...DELIVER, address];

export const isDeliveryCommand = (command: Command): boolean =>
  typeof command !== 'string' &&
  command.length === 3 &&
  [DELIVER, DELIVERY_PROGRAM].some((words) => words.every((word, i) => command[i] === word));

/** The address that this job delivers to; null: it is no delivery. */
export const deliveryAddress = ({
  command,
  hookOf,
}: Pick<NewJob, 'command'> & Partial<Pick<NewJob, 'hookOf'>>): string | null =>
  hookOf != null && isDeliveryCommand(command) ? (command.at(-1) ?? null) : null;
