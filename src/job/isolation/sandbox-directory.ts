// Which working directories a job may have in a sandbox that its queue or a setting requires. A sandbox mounts the working
// directory, so an enqueuer who could choose any directory could have any directory of the machine mounted. Pure.

import { dirname } from 'node:path';
import { foldersIn } from './policy-lists.ts';

export interface DirectoryRule {
  /** Entries of the setting `sandbox_directories`: a directory, or `/srv/jobs/*` for each directory in /srv/jobs. */
  readonly directories: readonly string[];
  /** Resolves symbolic links; returns the path itself if it cannot be resolved on this machine. */
  readonly real: (path: string) => string;
}

/**
 * Directories below a named one are not allowed: a job that can write to the named one could replace such a directory with a
 * symbolic link.
 */
export function isAllowedDirectory(directory: string, { directories, real }: DirectoryRule): boolean {
  const found = real(directory);
  return directories.some((named) =>
    named.endsWith('/*') ? dirname(found) === real(named.slice(0, -2) || '/') : found === real(named),
  );
}

/** Reads the setting `sandbox_directories`. An unreadable value allows no directory. */
export const directoriesIn = (value: unknown): readonly string[] => foldersIn(String(value ?? '')) ?? [];

export const directoryProblem = (directory: string, queue: string): string =>
  `queue '${queue}' requires a sandbox, and the working directory '${directory}' is not in sandbox_directories`;
