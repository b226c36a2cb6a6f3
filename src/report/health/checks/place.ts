// Checks of the files of a queue: whether other users can read or replace them, and whether logs are writable.

import { access, constants, stat } from 'node:fs/promises';
import type { Place } from '../../../store/location.ts';
import { type Check, fail, ok, warn } from './verdict.ts';

const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** In a sticky directory such as /tmp, other users cannot replace our files. */
const STICKY = 0o1000;

export async function checkFiles(place: Place): Promise<Check> {
  const { folder } = place;
  const mode = await modeOf(folder);
  if (mode === null && place.file === null) return ok('files', 'none on this host yet');
  if (mode === null && !place.isNamed) return ok('files', 'no queue yet; the first enqueue creates it');
  if (mode === null)
    return fail('files', `directory ${folder} does not exist`, 'create it: queuectl init', 'queuectl init');
  if (place.file !== null && (await isReadOnly(place.file)))
    return fail(
      'files',
      `cannot write to ${place.file}`,
      `check the disk, owner and mode: ls -l ${quoted(place.file)}`,
      `ls -l ${quoted(place.file)}`,
    );
  if (mode & WRITABLE_BY_OTHERS && !(mode & STICKY)) {
    return warn(
      'files',
      `other users can replace the files in ${folder}`,
      `chmod go-w ${quoted(folder)}`,
      `chmod go-w ${quoted(folder)}`,
    );
  }
  // A directory that only its owner may enter protects its contents.
  const open = mode & FOR_OTHERS ? await openToOthers(place) : [];
  if (open.length === 0) return ok('files', place.file ?? folder);
  const hint = `chmod go-rwx ${open.map(quoted).join(' ')}`;
  return warn('files', `other users of this host can read ${open.join(', ')}`, hint, hint);
}

/** A missing file is not read-only. */
const isReadOnly = (file: string): Promise<boolean> =>
  access(file, constants.W_OK).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );

/** Ignores targets that are not regular files, and directories that may belong to other programs. */
async function openToOthers(place: Place): Promise<string[]> {
  const { file } = place;
  if (file !== null && !(await stat(file).catch(() => null))?.isFile()) return [];
  const database = file === null ? [] : [file, `${file}-wal`, `${file}-shm`];
  const paths = [...database, place.logs, place.run];
  const modes = await Promise.all(paths.map(modeOf));
  return paths.filter((_, i) => (modes[i] ?? 0) & FOR_OTHERS);
}

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** Returns null if the path does not exist or is not accessible. */
const modeOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.mode ?? null;

export async function checkLogs(place: Place): Promise<Check> {
  if ((await modeOf(place.logs)) === null) return ok('logs', 'none yet');
  try {
    await access(place.logs, constants.W_OK | constants.X_OK);
    return ok('logs', place.logs);
  } catch {
    const hint = `check the owner and mode: ls -ld ${quoted(place.logs)}`;
    return fail('logs', `cannot write to the job log directory ${place.logs}`, hint, 'queuectl doctor');
  }
}
