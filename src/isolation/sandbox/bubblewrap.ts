// Builds the bubblewrap command line, and tests whether bubblewrap works on this machine.

import { execFile } from 'node:child_process';
import type { Shown } from './sandbox-view.ts';
import { isFolder } from './sandbox-view.ts';
import { findProgram } from '../programs.ts';

/**
 * Separate process, user, IPC, host name and (by default) network namespaces; no privileges and no way to gain any. The
 * processes inside die with bubblewrap, which dies with its worker.
 */
const APART = [
  '--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try',
  '--cap-drop', 'ALL', '--die-with-parent',
]; // biome-ignore format: a list of words

/** Descriptor on which bubblewrap reports the start and the exit code. */
export const STATUS_FD = 3;

/** Maximum size of each tmpfs; reduced to the job's memory limit if that is lower. */
const PRIVATE_BYTES = 1024 ** 3;

export interface Sandboxed {
  readonly program: string;
  readonly view: readonly Shown[];
  readonly network: boolean;
  readonly cwd: string;
  /** Memory limit of the job, if any. */
  readonly memoryBytes?: number | undefined;
  readonly command: readonly string[];
}

export function bubblewrapCommand({ program, view, network, cwd, memoryBytes, command }: Sandboxed): string[] {
  const hidden = view.filter(({ at, as }) => as === 'hidden' && isFolder(at));
  // /proc is read-only, because root owns the kernel settings in /proc/sys even without privileges. /dev is read-only,
  // because bubblewrap's tmpfs for it has no size limit.
  const sealed = ['/proc', '/dev', ...(view[0]?.at === '/' ? [] : ['/']), ...hidden.map(({ at }) => at)];
  return [
    program,
    ...APART,
    ...(network ? [] : ['--unshare-net']),
    ...view.flatMap((shown) => mount(shown, Math.min(PRIVATE_BYTES, memoryBytes ?? PRIVATE_BYTES))),
    ...sealed.flatMap((at) => ['--remount-ro', at]),
    ...['--chdir', cwd, '--json-status-fd', String(STATUS_FD), '--'],
    ...command,
  ];
}

function mount({ at, as, target = '' }: Shown, privateBytes: number): string[] {
  switch (as) {
    case 'writable':
      return ['--bind', at, at];
    case 'readonly':
      return ['--ro-bind', at, at];
    case 'hidden':
      return isFolder(at) ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at];
    case 'empty':
      return ['--size', String(privateBytes), '--tmpfs', at];
    case 'link':
      return ['--symlink', target, at];
    case 'proc':
      return ['--proc', at];
    case 'dev':
      return ['--dev', at];
  }
}

export const INSTALL = 'install bubblewrap: apt install bubblewrap, dnf install bubblewrap or apk add bubblewrap';

/** Why sandboxes cannot be created here, and what to do. */
export interface NoSandbox {
  readonly problem: string;
  readonly cure: string;
}

/** Tests with the worker's PATH; returns null if sandboxes work. */
export async function whyNoSandbox(path = process.env.PATH): Promise<NoSandbox | null> {
  const program = findProgram('bwrap', path);
  if (program === null) return { problem: "program 'bwrap' not found on this host", cure: INSTALL };
  const said = await trial(program);
  return said === null ? null : { problem: `bubblewrap does not work on this host: ${said}`, cure: cureFor(said) };
}

const TRIAL_MS = 10_000;

/** Runs an empty sandbox; returns bubblewrap's error, or null. */
function trial(program: string): Promise<string | null> {
  const args = [...APART, '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--'];
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: TRIAL_MS, cwd: '/' }, (error, _, stderr) =>
      resolve(error === null ? null : stderr.trim().split('\n').at(-1) || error.message),
    );
  });
}

const NAMESPACES = /namespace|uid map|gid map|loopback|RTM_NEWADDR|permitted|denied/i;

const cureFor = (said: string): string =>
  NAMESPACES.test(said)
    ? 'allow user namespaces: sysctl kernel.unprivileged_userns_clone=1; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap; in a container --security-opt seccomp=unconfined'
    : 'install bubblewrap 0.8 or newer';
