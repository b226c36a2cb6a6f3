// Where a worker may make control groups for its jobs: a cgroup v2 folder that is ours to write to and that hands its
// controllers on. Processes may only be in its leaves, so a worker that is alone in such a folder moves into one first.

import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { processEntry } from '../process/proc.ts';

export const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

export interface Delegated {
  /** Groups of jobs are made in here. */
  readonly folder: string;
  readonly controllers: ReadonlySet<Controller>;
}

/** Why there is none, for people. */
export interface Undelegated {
  readonly problem: string;
}

export const isDelegated = (found: Delegated | Undelegated): found is Delegated => 'folder' in found;

/** What a system shows of itself; other files in tests. */
export interface CgroupFiles {
  readonly mountinfo: string;
  readonly ownCgroup: string;
}
const SYSTEM: CgroupFiles = { mountinfo: '/proc/self/mountinfo', ownCgroup: '/proc/self/cgroup' };

/** The leaf that workers are in. */
const WORKERS = 'queuectl.workers';

export function findDelegated(files: CgroupFiles = SYSTEM): Delegated | Undelegated {
  const own = ownFolder(files);
  if (own === null) return { problem: 'this system has no cgroup v2' };
  const folder = basename(own) === WORKERS ? dirname(own) : own;
  const offered = words(join(folder, 'cgroup.controllers')).filter(isController);
  if (offered.length === 0)
    return { problem: `the cgroup v2 at ${folder} has none of ${CONTROLLERS.join(', ')}` };
  if (!isWritable(folder)) return { problem: `the cgroup at ${folder} is not ours to divide` };
  return { folder, controllers: new Set(offered) };
}

/** Hands the controllers on to the groups of jobs; answers those that are handed on in the end. */
export function handOn({ folder, controllers }: Delegated): ReadonlySet<Controller> {
  const control = join(folder, 'cgroup.subtree_control');
  const missing = [...controllers].filter((one) => !words(control).includes(one));
  if (missing.length > 0) {
    moveIntoLeaf(folder);
    for (const one of missing) attempt(() => writeFileSync(control, `+${one}`));
  }
  return new Set(words(control).filter(isController));
}

/** Only where nobody but us would be moved: a shell or another service that shares the group stays where it is. */
function moveIntoLeaf(folder: string): void {
  const pids = words(join(folder, 'cgroup.procs')).map(Number);
  if (pids.length === 0 || !pids.every(isOurs)) return;
  const leaf = join(folder, WORKERS);
  attempt(() => mkdirSync(leaf, { recursive: true }));
  for (const pid of pids) attempt(() => writeFileSync(join(leaf, 'cgroup.procs'), String(pid)));
}

function isOurs(pid: number): boolean {
  for (let at = pid; at > 1; at = processEntry(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
}

/** null: there is no such file system here. */
function ownFolder({ mountinfo, ownCgroup }: CgroupFiles): string | null {
  const mount = lines(mountinfo)
    .map((line) => line.split(' '))
    .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2');
  const path = lines(ownCgroup)
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  const [root, at] = [mount?.[3], mount?.[4]?.replace(/\\(\d{3})/g, (_, octal) => characterOf(octal))];
  if (root === undefined || at === undefined || path === undefined) return null;
  return resolve(join(at, root !== '/' && path.startsWith(root) ? path.slice(root.length) : path));
}

/** How the kernel writes a space in a path. */
const characterOf = (octal: string): string => String.fromCharCode(Number.parseInt(octal, 8));

const isController = (word: string): word is Controller => (CONTROLLERS as readonly string[]).includes(word);

function isWritable(folder: string): boolean {
  return attempt(() => {
    for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control'])
      accessSync(join(folder, name), constants.W_OK);
  });
}

const lines = (path: string): string[] => read(path).split('\n').filter(Boolean);
const words = (path: string): string[] => read(path).split(/\s+/).filter(Boolean);

export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether it worked. What the kernel refuses here is decided elsewhere, from what is there afterwards. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
