// The token of whoever may read the files of this queue: made at the first start, kept where only its owner can read it.
// A file that others could have read or written is refused: what is in it is no secret any more.

import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { newSecret } from '../../access/secrets.ts';
import { QueueError } from '../../errors.ts';
import type { Place } from '../../place.ts';

export const tokenPath = (place: Place): string => join(place.run, 'server-token');

/** Of two that start at once, the second takes what the first has made. */
export function ownerToken(place: Place): string {
  const path = tokenPath(place);
  mkdirSync(place.run, { recursive: true, mode: 0o700 });
  const known = tokenIn(path);
  if (known !== null) return known;
  makeToken(path);
  return tokenIn(path) ?? fail(path, 'somebody removed it');
}

/** It appears whole: a start that is cut off leaves no empty token. */
function makeToken(path: string): void {
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, `${newSecret()}\n`, { mode: 0o600, flush: true });
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

const SHORTEST = 24;

function tokenIn(path: string): string | null {
  const file = opened(path);
  if (file === null) return null;
  try {
    checkOwner(path, file);
    const token = readFileSync(file, 'utf8').trim();
    return token.length >= SHORTEST ? token : fail(path, 'it holds no token', remake(path));
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : fail(path, message, remake(path));
  }
}

function checkOwner(path: string, file: number): void {
  const { mode, uid } = fstatSync(file);
  if (uid !== process.getuid?.()) fail(path, 'it belongs to somebody else', remake(path));
  if ((mode & 0o077) !== 0) fail(path, 'others can read it', remake(path));
}

const remake = (path: string): string => `remove it, and the next start makes a new one: rm '${path}'`;

function fail(path: string, problem: string, hint = ''): never {
  throw new QueueError('unsafe_token_file', { path, problem, hint });
}
