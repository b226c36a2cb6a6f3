// The job that delivers a webhook. Only the store creates it, for a hook. Users cannot set `hookOf` or this command, so
// no user job can pass for a delivery.

import type { Command, NewJob } from '../job.ts';

/** Command shown in lists. The worker replaces it with its own program path. */
const DELIVER: readonly string[] = ['webhook', 'POST'];
/** The program that runs; earlier versions stored it as the command. */
export const DELIVERY_PROGRAM: readonly string[] = ['queuectl', '__webhook'];

export const deliveryCommand = (address: string): Command => [...DELIVER, address];

export const isDeliveryCommand = (command: Command): boolean =>
  typeof command !== 'string' &&
  command.length === 3 &&
  [DELIVER, DELIVERY_PROGRAM].some((words) => words.every((word, i) => command[i] === word));

/** Returns the address that the job delivers to, or null if the job is not a delivery. */
export const deliveryAddress = ({
  command,
  hookOf,
}: Pick<NewJob, 'command'> & Partial<Pick<NewJob, 'hookOf'>>): string | null =>
  hookOf != null && isDeliveryCommand(command) ? (command.at(-1) ?? null) : null;
