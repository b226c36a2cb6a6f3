// What the system knows of a process. On Linux from /proc, elsewhere from ps.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly startedAt: string;
}

const onLinux = process.platform === 'linux';

/** Loaded only where it is needed: it is slow to load, and Linux can do without. */
function outputOf(program: string, args: readonly string[]): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
}

/** The entry of a living process; null when it is gone, or only waits to be buried. */
export function processEntry(pid: number): ProcessEntry | null {
  return onLinux ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): ProcessEntry | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold anything, so fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  if (state === 'Z' || state === 'X') return null;
  return { pid, group: Number(group), startedAt: fields[19] ?? '' };
}

function fromPs(pid: number): ProcessEntry | null {
  const line = outputOf('ps', ['-o', 'stat=,pgid=,lstart=', '-p', String(pid)]);
  const match = /^\s*(\S+)\s+(\d+)\s+(.+?)\s*$/.exec(line);
  if (!match?.[1] || match[1].startsWith('Z')) return null;
  return { pid, group: Number(match[2]), startedAt: match[3] ?? '' };
}

/** Every process that can be seen; none where the system offers no /proc. */
export function allPids(): number[] {
  if (!onLinux) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Whether a process was started with all of these variables in its environment. */
export function hasEnvironment(pid: number, variables: Readonly<Record<string, string>>): boolean {
  const environ = readText(`/proc/${pid}/environ`);
  if (environ === null) return false;
  const entries = new Set(environ.split('\0'));
  return Object.entries(variables).every(([name, value]) => entries.has(`${name}=${value}`));
}

/** Names this boot of this machine, and on Linux the pid namespace too: pids mean nothing outside of it. */
export function bootId(): string {
  if (!onLinux) return outputOf('sysctl', ['-n', 'kern.boottime']).trim();
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
const GONE = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error; // out of files, say: a living process must not look dead for that
  }
}
