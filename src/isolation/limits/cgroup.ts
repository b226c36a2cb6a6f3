// Finds the place for job cgroups: a writable cgroup v2 directory that delegates its controllers. cgroup v2 allows
// processes only in leaves, so a worker that is alone in such a directory first moves into a leaf.

import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt, lines, words } from './cgroup-files.ts';
import { membersOf, strangerIn } from './cgroup-members.ts';

export const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

export interface Delegated {
  /** Parent directory of job cgroups. */
  readonly folder: string;
  readonly controllers: ReadonlySet<Controller>;
}

/** Why there is none, as text for users. */
export interface Undelegated {
  readonly problem: string;
}

export const isDelegated = (found: Delegated | Undelegated): found is Delegated => 'folder' in found;

/** System files; tests pass other ones. */
export interface CgroupFiles {
  readonly mountinfo: string;
  readonly ownCgroup: string;
}
const SYSTEM: CgroupFiles = { mountinfo: '/proc/self/mountinfo', ownCgroup: '/proc/self/cgroup' };

/** For inspecting another queuectl process. */
export const groupOfProcess = (pid: number): CgroupFiles => ({ ...SYSTEM, ownCgroup: `/proc/${pid}/cgroup` });

/** Leaf for workers. */
const WORKERS = 'queuectl.workers';
/** File to which a PID is written to join a cgroup. */
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

/** Enables the controllers for job cgroups; returns those that are enabled. */
export function handOn({ folder, controllers }: Delegated): ReadonlySet<Controller> {
  const control = join(folder, 'cgroup.subtree_control');
  const missing = [...controllers].filter((one) => !words(control).includes(one));
  if (missing.length > 0 && isEmptied(folder))
    for (const one of missing) attempt(() => writeFileSync(control, `+${one}`));
  return new Set(words(control).filter(isController));
}

/** Rounds of moving, because processes may start others meanwhile. */
const MOVES = 20;

/**
 * The kernel allows some controllers to be enabled next to processes but then rejects processes in the child cgroups.
 * So all processes move into the leaf first.
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
    for (const pid of left) if (attempt(() => writeFileSync(join(leaf, ENTRANCE), String(pid)))) moved.add(pid);
  }
  return false;
}

/** Only the root cgroup may have both processes and enabled controllers. */
const isRootGroup = (folder: string): boolean => !existsSync(join(folder, 'cgroup.type'));

/** Returns null if there is no cgroup v2 file system. */
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

/** Decodes an octal escape, as in paths with spaces. */
const characterOf = (octal: string): string => String.fromCharCode(Number.parseInt(octal, 8));

const isController = (word: string): word is Controller => (CONTROLLERS as readonly string[]).includes(word);

function isWritable(folder: string): boolean {
  return attempt(() => {
    for (const name of ['', ENTRANCE, 'cgroup.subtree_control']) accessSync(join(folder, name), constants.W_OK);
  });
}
