// The commit that a git clone has checked out, read without starting git.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Returns null if the directory is no clone, or if its commit cannot be read. */
export function commitOf(clone: string): string | null {
  try {
    return commitIn(gitFolder(clone));
  } catch {
    return null;
  }
}

/** In a worktree or a submodule, `.git` is a file that names the directory. */
function gitFolder(clone: string): string {
  const git = join(clone, '.git');
  return statSync(git).isDirectory() ? git : resolve(clone, textIn(git).replace(/^gitdir: /, ''));
}

function commitIn(git: string): string | null {
  const head = textIn(join(git, 'HEAD'));
  if (!head.startsWith('ref: ')) return checked(head);
  const ref = head.slice('ref: '.length);
  const common = commonFolder(git);
  return checked(looseRef(git, ref) ?? looseRef(common, ref) ?? packedRef(common, ref));
}

/** The clone that a worktree belongs to. */
function commonFolder(git: string): string {
  const file = join(git, 'commondir');
  return exists(file) ? resolve(git, textIn(file)) : git;
}

const looseRef = (git: string, ref: string): string | null => (exists(join(git, ref)) ? textIn(join(git, ref)) : null);

function packedRef(git: string, ref: string): string | null {
  const lines = textIn(join(git, 'packed-refs')).split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? null;
}

const checked = (text: string | null): string | null => (text !== null && /^[0-9a-f]{40,64}$/.test(text) ? text : null);

const textIn = (file: string): string => readFileSync(file, 'utf8').trim();

const exists = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;
