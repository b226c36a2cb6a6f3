// Check of the secrets: whether this host has a private key that decrypts all of them.

import { QueueError } from '../../../errors/errors.ts';
import type { Queue } from '../../../queue/queue.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

const NAME = 'secrets';

export async function checkSecretKey(queue: Queue): Promise<Check> {
  try {
    const { all, unreadable } = await (await queue.secrets()).examine();
    if (all === 0) return ok(NAME, 'no secrets stored');
    if (unreadable.length === 0) return ok(NAME, `the key on this host decrypts all secrets: ${all}`);
    const names = unreadable.join(', ');
    return fail(
      NAME,
      `the key on this host cannot decrypt these secrets: ${names}`,
      `set the secret again: queuectl secret set ${unreadable[0]}; or copy the key file from a host that can decrypt it`,
    );
  } catch (error) {
    if (!(error instanceof QueueError) || error.code !== 'secret_key_unusable') throw error;
    const message = `jobs with secrets cannot start on this host: ${error.message}`;
    return (queue.spansHosts ? warn : fail)(NAME, message, error.hint); // another host may have the key
  }
}
