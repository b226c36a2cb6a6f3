// The token of those who may read the files of this queue: made at the first start, kept where only its owner can read it.
// A file that others could have read or written is refused: what is in it is no secret any more.

import { join } from 'node:path';
import { makePrivateFile, readPrivateFile } from '../../access/private-file.ts';
import { newSecret } from '../../access/secrets.ts';
import { QueueError } from '../../errors/errors.ts';
import type { Place } from '../../store/location.ts';

export const tokenPath = ({ run }: Pick<Place, 'run'>): string => join(run, 'server-token');

/** Of two that start at once, the second takes what the first has made. */
export function ownerToken(place: Place): string {
  const path = tokenPath(place);
  const known = tokenIn(path);
  if (known !== null) return known;
  makePrivateFile(path, `${newSecret()}\n`);
  return tokenIn(path) ?? fail(path, 'somebody removed it', '');
}

const SHORTEST = 24;

function tokenIn(path: string): string | null {
  const token = readPrivateFile(path, (problem) => fail(path, problem));
  if (token === null || token.length >= SHORTEST) return token;
  return fail(path, 'it holds no token');
}

const remake = (path: string): string => `remove it, and the next start makes a new one: rm '${path}'`;

function fail(path: string, problem: string, hint = remake(path)): never {
  throw new QueueError('unsafe_token_file', { path, problem, hint });
}
