// What the system knows of a process. On Linux from /proc, elsewhere from ps.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostClockMs } from './host-clock.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Comparable only with other processes of the same boot. */
  readonly startedAt: string;
  /** Held by a signal (SIGSTOP, Ctrl-Z) or a debugger: it does nothing until somebody lets it go on. */
  readonly isStopped: boolean;
  /** It has ended and only waits for its parent to notice. */
  readonly isZombie: boolean;
}

export const onLinux = process.platform === 'linux';

/** Loaded only where it is needed: it is slow to load, and Linux can do without. */
function outputOf(program: string, args: readonly string[]): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }; // the same words and times for every user
  return spawnSync(program, args, { encoding: 'utf8', env }).stdout ?? '';
}

/** The entry of a living process; null when it has ended, or may not be seen. */
export function processEntry(pid: number): ProcessEntry | null {
  const entry = anyEntry(pid);
  return entry?.isZombie ? null : entry;
}

/** The entry of a process, ended or not; null when there is none, or it may not be seen. */
export const anyEntry = (pid: number): ProcessEntry | null => (onLinux ? fromProc(pid) : fromPs(pid));

const STOPPED = ['T', 't'];
const ENDED = ['Z', 'X'];

function fromProc(pid: number): ProcessEntry | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold anything, so fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
  const [state = '', parent, group, session] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: fields[19] ?? '',
    isStopped: STOPPED.includes(state),
    isZombie: ENDED.includes(state),
  };
}

function fromPs(pid: number): ProcessEntry | null {
  const line = outputOf('ps', ['-o', 'stat=,ppid=,pgid=,lstart=', '-p', String(pid)]);
  const match = /^\s*(\S+)\s+(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line);
  if (!match?.[1]) return null;
  const [, state, parent, group, startedAt = ''] = match;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(group),
    startedAt,
    isStopped: state.startsWith('T'),
    isZombie: state.startsWith('Z'),
  };
}

export const TICKS_A_SECOND = 100;

/** The present moment on the scale of `startedAt`, on Linux. */
export const ticksNow = (): number => Math.floor((hostClockMs() * TICKS_A_SECOND) / 1000);

/** Whether there is a process of this number that we may not look at: one of another user, where /proc hides those. */
export function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Every process that can be seen; none where the system offers no /proc. */
export function allPids(): number[] {
  if (!onLinux) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** The environment that a process was started with; null when it cannot be read. */
export const environmentOf = (pid: number): string | null => readText(`/proc/${pid}/environ`);

/** Whether a process was started with all of these variables in its environment. */
export function hasEnvironment(pid: number, variables: Readonly<Record<string, string>>): boolean {
  const environ = environmentOf(pid);
  if (environ === null) return false;
  const entries = new Set(environ.split('\0'));
  return Object.entries(variables).every(([name, value]) => entries.has(`${name}=${value}`));
}

/** Names this boot of this machine, and on Linux the pid namespace too: pids mean nothing outside of it. */
export function bootId(): string {
  if (!onLinux) return outputOf('sysctl', ['-n', 'kern.bootsessionuuid']).trim();
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}/${namespaceOfPids()}`;
}

function namespaceOfPids(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '';
  }
}

/** Answers that mean: no such process, or not ours to look at. Anything else says nothing about it. */
const UNSEEN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (UNSEEN.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error; // out of files, say: a living process must not look dead for that
  }
}

/** null: it could not be read. The process runs all the same, and must not be taken for one that does not. */
export function startedAtOf(pid: number): string | null {
  try {
    return processEntry(pid)?.startedAt ?? null;
  } catch {
    return null;
  }
}
