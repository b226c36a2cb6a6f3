// Where a worker may make control groups for its jobs: a cgroup v2 folder that is ours to write to and that hands its
// controllers on. Processes may only be in its leaves, so a worker that is alone in such a folder moves into one first.

import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt, lines, words } from './cgroup-files.ts';
import { membersOf, strangerIn } from './cgroup-members.ts';

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

/** To find what another process of queuectl has. */
export const groupOfProcess = (pid: number): CgroupFiles => ({ ...SYSTEM, ownCgroup: `/proc/${pid}/cgroup` });

/** The leaf that workers are in. */
const WORKERS = 'queuectl.workers';
/** What a process is written to in order to be in a group. */
export const ENTRANCE = 'cgroup.procs';

export function findDelegated(files: CgroupFiles = SYSTEM): Delegated | Undelegated {
  const own = ownFolder(files);
  if (own === null) return { problem: 'this system has no cgroup v2' };
  const folder = basename(own) === WORKERS ? dirname(own) : own;
  const offered = words(join(folder, 'cgroup.controllers')).filter(isController);
  if (offered.length === 0)
    return { problem: `the cgroup v2 at ${folder} has none of the controllers ${CONTROLLERS.join(', ')}` };
  if (!isWritable(folder)) return { problem: `the cgroup at ${folder} is not delegated to this user` };
  const stranger = isRootGroup(folder) ? null : strangerIn(join(folder, ENTRANCE));
  if (stranger !== null) return { problem: `the cgroup at ${folder} is shared with ${stranger}` };
  return { folder, controllers: new Set(offered) };
}

/** Hands the controllers on to the groups of jobs; returns those that are handed on in the end. */
export function handOn({ folder, controllers }: Delegated): ReadonlySet<Controller> {
  const control = join(folder, 'cgroup.subtree_control');
  const missing = [...controllers].filter((one) => !words(control).includes(one));
  if (missing.length > 0 && isEmptied(folder))
    for (const one of missing) attempt(() => writeFileSync(control, `+${one}`));
  return new Set(words(control).filter(isController));
}

/** While it is being emptied, those who are in it may start others. */
const MOVES = 20;

/**
 * The kernel hands on some controllers beside processes as well, and then lets nobody into the groups that have them: so
 * nothing is handed on before everybody has moved into the leaf.
 */
function isEmptied(folder: string): boolean {
  if (isRootGroup(folder)) return true;
  const [entrance, leaf] = [join(folder, ENTRANCE), join(folder, WORKERS)];
  const moved = new Set<number>();
  for (let moves = 0; moves < MOVES; moves++) {
    const left = membersOf(entrance).filter((pid) => !moved.has(pid));
    if (left.length === 0) return true;
    if (strangerIn(entrance) !== null) return false;
    attempt(() => mkdirSync(leaf, { recursive: true }));
    for (const pid of left)
      if (attempt(() => writeFileSync(join(leaf, ENTRANCE), String(pid)))) moved.add(pid);
  }
  return false;
}

/** That of the whole machine alone may have processes and hand on controllers. */
const isRootGroup = (folder: string): boolean => !existsSync(join(folder, 'cgroup.type'));

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
    for (const name of ['', ENTRANCE, 'cgroup.subtree_control'])
      accessSync(join(folder, name), constants.W_OK);
  });
}
