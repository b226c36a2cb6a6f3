// Process information from /proc on Linux, from ps elsewhere.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostClockMs } from './host-clock.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Comparable only with other processes of the same boot. */
  readonly startedAt: string;
  /** Stopped by a signal (SIGSTOP, Ctrl-Z) or a debugger. */
  readonly isStopped: boolean;
  /** Exited, but not yet reaped by its parent. */
  readonly isZombie: boolean;
}

export const onLinux = process.platform === 'linux';

/** Loaded on demand, because it loads slowly and Linux does not need it. */
function outputOf(program: string, args: readonly string[]): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }; // same language and time zone for every user
  return spawnSync(program, args, { encoding: 'utf8', env }).stdout ?? '';
}

/** Returns the entry of a live process, or null if it has exited or is not visible. */
export function processEntry(pid: number): ProcessEntry | null {
  const entry = anyEntry(pid);
  return entry?.isZombie ? null : entry;
}

/** Returns the entry of a process, exited or not, or null if it does not exist or is not visible. */
export const anyEntry = (pid: number): ProcessEntry | null => (onLinux ? fromProc(pid) : fromPs(pid));

const STOPPED = ['T', 't'];
const ENDED = ['Z', 'X'];

function fromProc(pid: number): ProcessEntry | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may contain anything, so fields are counted after the last one.
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

/** Current time on the scale of `startedAt`, on Linux. */
export const ticksNow = (): number => Math.floor((hostClockMs() * TICKS_A_SECOND) / 1000);

/** True if a process with this PID exists, even if it is not readable, as with another user's process under hidepid. */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns all visible processes; none on systems without /proc. */
export function allPids(): number[] {
  if (!onLinux) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Returns the initial environment of a process, or null if it is unreadable. */
export const environmentOf = (pid: number): string | null => readText(`/proc/${pid}/environ`);

/** True if the process was started with all of these variables. */
export function hasEnvironment(pid: number, variables: Readonly<Record<string, string>>): boolean {
  const environ = environmentOf(pid);
  if (environ === null) return false;
  const entries = new Set(environ.split('\0'));
  return Object.entries(variables).every(([name, value]) => entries.has(`${name}=${value}`));
}

/** Identifies this boot of this machine and, on Linux, the PID namespace, outside of which PIDs mean nothing. */
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

/** Errors that mean the process does not exist or is not visible. Any other error says nothing about it. */
const UNSEEN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (UNSEEN.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error; // for example out of files: a live process must not look dead
  }
}

/** Returns null if it could not be read; the process may still be running. */
export function startedAtOf(pid: number): string | null {
  try {
    return processEntry(pid)?.startedAt ?? null;
  } catch {
    return null;
  }
}
