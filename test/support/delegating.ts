// A control group of its own for a program, from systemd where that is running with cgroup v2: as docs/guides/resource-limits.md says to do it.

import { spawnSync } from 'node:child_process';

const OWN_CONTROLLERS = 'cat "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/cgroup.controllers"';
const NEEDED = ['memory', 'cpu', 'pids'];

let known: readonly string[] | null | undefined;

/** The command that starts a program in a group which is the program's to divide; null: nobody here gives it one. */
export function delegating(): readonly string[] | null {
  if (known === undefined) known = gives(SCOPE) ? SCOPE : null;
  return known;
}

const SCOPE: readonly string[] = [
  'systemd-run',
  ...(process.getuid?.() === 0 ? [] : ['--user']),
  ...['--scope', '--quiet', '--collect', '-p', 'Delegate=yes'],
];

function gives([program = '', ...args]: readonly string[]): boolean {
  const { status, stdout } = spawnSync(program, [...args, 'sh', '-c', OWN_CONTROLLERS], { encoding: 'utf8' });
  return status === 0 && NEEDED.every((one) => stdout.split(/\s+/).includes(one));
}
