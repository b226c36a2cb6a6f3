// The owner token, for users who can read the queue's files. It is created at the first start in a file that only its
// owner can read. A file that other users could have read or written is rejected.

import { join } from 'node:path';
import { makePrivateFile, readPrivateFile } from '../../access/private-file.ts';
import { newSecret } from '../../access/secrets.ts';
import { QueueError } from '../../errors/errors.ts';
import type { Place } from '../../store/location.ts';

export const tokenPath = ({ run }: Pick<Place, 'run'>): string => join(run, 'server-token');

/** If two servers start at once, both get the same token. */
export function ownerToken(place: Place): string {
  const path = tokenPath(place);
  const known = tokenIn(path);
  if (known !== null) return known;
  makePrivateFile(path, `${newSecret()}\n`);
  return tokenIn(path) ?? fail(path, 'the file was deleted', '');
}

const SHORTEST = 24;

function tokenIn(path: string): string | null {
  const token = readPrivateFile(path, (problem) => fail(path, problem));
  if (token === null || token.length >= SHORTEST) return token;
  return fail(path, 'the file contains no token');
}

const remake = (path: string): string => `delete the file; the next start creates a new one: rm '${path}'`;

function fail(path: string, problem: string, hint = remake(path)): never {
  throw new QueueError('unsafe_token_file', { path, problem, hint });
}
