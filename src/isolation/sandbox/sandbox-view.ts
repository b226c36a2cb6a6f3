// Computes the mounts of a sandbox, outermost first, so that an inner path overrides its parent directory. All paths
// are resolved: a symbolic link never grants more than its target.

import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_ONLY, SYSTEM_PATHS, type SandboxProfile } from '../../job/isolation/sandbox-profile.ts';
import { rootOnlyPaths } from './root-only.ts';

export type Showing = 'writable' | 'readonly' | 'hidden' | 'empty' | 'proc' | 'dev' | 'link';

export interface Shown {
  readonly at: string;
  readonly as: Showing;
  /** Target of a symbolic link. */
  readonly target?: string;
}

export interface ViewOf {
  readonly profile: SandboxProfile;
  readonly cwd: string | null;
  readonly home: string;
  /** The worker's HOME, which may differ: paths hidden in a home directory are hidden in both. */
  readonly otherHome: string;
  /** Writable regardless of the profile. */
  readonly needs: readonly string[];
  /** Files and directories of the queue. */
  readonly kept: readonly string[];
}

/** For the same path, the last of these wins. */
const ORDER: readonly Showing[] = ['link', 'empty', 'proc', 'dev', 'readonly', 'writable', 'hidden'];

export function viewOf({ profile, cwd, home, otherHome, needs, kept }: ViewOf): Shown[] {
  const all = (names: readonly string[], as: Showing, of = home): Shown[] =>
    names.flatMap((name) => expanded(name, cwd, of)).flatMap((path) => shown(path, as));
  const asked = [
    ...all(profile.readonly, 'readonly'),
    ...all(['{cwd}'], 'readonly'), // always readable
    ...all(profile.writable, 'writable'),
    ...all(profile.tmp === 'shared' ? TEMPORARY : [], 'writable'),
    ...needs.flatMap((path) => shown(path, 'writable')),
  ];
  const own: Shown[] = [
    { at: '/proc', as: 'proc' },
    { at: '/dev', as: 'dev' },
    { at: '/dev/shm', as: 'empty' },
    ...(profile.tmp === 'private' ? TEMPORARY.map((at): Shown => ({ at, as: 'empty' })) : []),
  ];
  const visible = [...own, ...asked];
  const hidden = [
    ...[home, otherHome].flatMap((one) => all(profile.hidden, 'hidden', one)),
    ...kept.flatMap((path) => shown(path, 'hidden')),
  ];
  return sorted([
    ...visible,
    ...hidden.filter(({ at }) => isCovered(at, asked)),
    ...(isCovered(home, asked) ? [] : [{ at: home, as: 'empty' } as const]),
  ]);
}

const TEMPORARY = ['/tmp', '/var/tmp'];

function expanded(name: string, cwd: string | null, home: string): readonly string[] {
  if (name === '{system}') return SYSTEM_PATHS;
  if (name === ROOT_ONLY) return rootOnlyPaths();
  if (name === '{cwd}') return cwd === null ? [] : [cwd];
  return [name.startsWith('~') ? join(home, name.slice(1)) : name];
}

/** Skips missing paths. A path through symbolic links is mounted at its real location, with links to it. */
function shown(path: string, as: Showing): Shown[] {
  try {
    const real = realpathSync(path);
    if (real === path || as === 'hidden') return [{ at: real, as }];
    return [
      { at: real, as },
      { at: path, as: 'link', target: real },
    ];
  } catch {
    return [];
  }
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || folder === '/' || path.startsWith(`${folder}/`);

const isBound = ({ as }: Shown): boolean => as === 'readonly' || as === 'writable';
const isCovered = (path: string, by: readonly Shown[]): boolean =>
  by.some((one) => isBound(one) && isWithin(path, one.at));

function sorted(all: readonly Shown[]): Shown[] {
  const byPlace = new Map<string, Shown>();
  for (const one of all.toSorted((a, b) => ORDER.indexOf(a.as) - ORDER.indexOf(b.as))) byPlace.set(one.at, one);
  const places = [...byPlace.values()].toSorted(byDepth);
  return places.filter((one) =>
    one.as === 'link' ? !isCovered(one.at, places) : !isBound(one) || around(one, places)?.as !== one.as,
  );
}

/** Finds the nearest enclosing mount; repeating the same rule would only cost time. */
const around = ({ at }: Shown, places: readonly Shown[]): Shown | undefined =>
  places.findLast((other) => other.at !== at && other.as !== 'link' && isWithin(at, other.at));

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);
const byDepth = (a: Shown, b: Shown): number => depth(a.at) - depth(b.at);

export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
