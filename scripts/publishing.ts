// Writes files of the build into dist/, and removes those of earlier builds.

import fs from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const startedAt = new Date();

/** How long old files are kept: for processes and pages that have just loaded, and for concurrent builds. */
const KEEP_OLD_MS = process.argv.includes('--clean') ? 0 : 10 * 60_000;

export function read(name: string): string {
  return fs.readFileSync(path.join(root, name), 'utf8');
}

/** Writes a file below dist/ atomically. Its date is the start of the build: a source saved since then is newer. */
export function publish(name: string, contents: string | Uint8Array): void {
  const file = path.join(dist, name);
  const made = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(made, contents);
  fs.utimesSync(made, startedAt, startedAt);
  fs.renameSync(made, file);
}

/** Keeps a file of an earlier build that has the same content. Returns whether it exists. */
export function keepPublished(name: string): boolean {
  const file = path.join(dist, name);
  const exists = fs.existsSync(file);
  if (exists) fs.utimesSync(file, startedAt, startedAt);
  return exists;
}

/** Removes old files from a directory below dist/, except the current ones. */
export function removeOld(folder: string, isCurrent: (name: string) => boolean): void {
  for (const name of fs.readdirSync(path.join(dist, folder))) {
    const file = path.join(dist, folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
    const isOld = startedAt.getTime() - mtimeMs >= KEEP_OLD_MS;
    if (isOld && !isCurrent(`${folder}/${name}`)) fs.rmSync(file, { force: true });
  }
}
