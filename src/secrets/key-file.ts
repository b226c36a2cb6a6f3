// The key that encrypts secrets: a file outside the database, created with the first secret. Every host whose workers
// use secrets needs the same key.

import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { makePrivateFile, readPrivateFile } from '../access/private-file.ts';
import { QueueError } from '../errors/errors.ts';
import type { Place } from '../store/location.ts';
import { KEY_BYTES } from './seal.ts';

export const KEY_VARIABLE = 'QUEUECTL_SECRET_KEY_FILE';

export const keyPath = (place: Place, environment: NodeJS.ProcessEnv): string =>
  environment[KEY_VARIABLE] ? resolve(environment[KEY_VARIABLE]) : join(place.run, 'secret-key');

/** Returns null if there is no key. Throws secret_key_unusable. */
export function readKey(path: string): Buffer | null {
  const text = readPrivateFile(path, (problem) => unusable(path, problem, OWNED));
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : unusable(path, 'the file contains no valid key', COPY);
}

/** If two processes create it at once, both get the same key. */
export function makeKey(path: string, key: Buffer = randomBytes(KEY_BYTES)): Buffer {
  makePrivateFile(path, `${key.toString('base64')}\n`);
  return readKey(path) ?? unusable(path, 'the file was deleted', COPY);
}

const OWNED = "make the worker's user the owner and set the mode to 600: chmod 600 FILE";

export const COPY = `copy the key file from a host that can read the secrets (mode 600), or set ${KEY_VARIABLE}=FILE`;

export function unusable(path: string, problem: string, hint: string): never {
  throw new QueueError('secret_key_unusable', { path, problem, hint });
}
