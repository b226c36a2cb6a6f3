// Check of the secrets: whether the key of this host is there, its owner's alone, and opens all of them.

import { QueueError } from '../../../errors/errors.ts';
import type { Queue } from '../../../queue/queue.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

const NAME = 'secrets';

export async function checkSecretKey(queue: Queue): Promise<Check> {
  try {
    const { all, unreadable } = await (await queue.secrets()).examine();
    if (all === 0) return ok(NAME, 'no secrets are kept');
    if (unreadable.length === 0) return ok(NAME, `the key of this host opens every secret: ${all}`);
    const names = unreadable.join(', ');
    return fail(
      NAME,
      `secrets that the key of this host does not open: ${names}`,
      `queuectl secret set ${unreadable[0]} sets it again; or copy the key from a host where it can be read`,
    );
  } catch (error) {
    if (!(error instanceof QueueError) || error.code !== 'secret_key_unusable') throw error;
    const message = `jobs with secrets do not start here: ${error.message}`;
    return (queue.spansHosts ? warn : fail)(NAME, message, error.hint); // elsewhere there may be one
  }
}
