// Running a program where /proc shows nobody the processes of others. It gets a pid namespace of its own as well: to
// remount /proc would change it for the whole machine.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

const APART = ['--mount', '--pid', '--fork', '--kill-child'];
const MOUNT = 'mount -t proc -o hidepid=2 proc /proc && exec "$@"';
const HANGS_AFTER_MS = 30_000;
const NOBODY = 65_534;

export interface HidingAnswer {
  /** Why the system lets nobody do so here; null: it does. */
  readonly rejected: string | null;
  readonly result: SpawnSyncReturns<string>;
}

/** A TypeScript program of a test, to its end. It begins as root, see becomeNobody(). */
export const runProgram = (file: string): SpawnSyncReturns<string> => run([process.execPath, file]);

/** `folder`: for its temporary files, which it cannot remove itself when it is nobody. */
export function runHiding(file: string, folder?: string): HidingAnswer {
  const result = run(['unshare', ...APART, 'sh', '-c', MOUNT, 'sh', process.execPath, file], folder);
  const [, rejected = null] = /^(?:unshare|mount): (.*)/.exec(result.stderr) ?? [];
  return { rejected, result };
}

const run = ([program = '', ...args]: readonly string[], TMPDIR?: string): SpawnSyncReturns<string> =>
  spawnSync(program, args, {
    encoding: 'utf8',
    timeout: HANGS_AFTER_MS,
    env: { ...process.env, ...(TMPDIR && { TMPDIR }) },
  });

/** For good. What is open stays open. */
export function becomeNobody(): void {
  process.setgroups?.([]); // the group of root may look at everything
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
