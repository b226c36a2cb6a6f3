// Measures the cost of a sandbox: sandboxed no-op jobs, compared with bare bubblewrap calls.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inSandbox, type Sandbox, takeTurns } from '../measure.ts';
import { atMost, type Bench, ms, type Row } from '../row.ts';

const JOBS = 100;
const ROUNDS = 5;
const BARE = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'];

export const bench: Bench = {
  name: 'confined',
  run: (say) => inSandbox((sandbox) => sandboxedTrue(sandbox, say)),
};

/** Returns no rows without bubblewrap. */
async function sandboxedTrue({ folder, queuectl }: Sandbox, say: (line: string) => void): Promise<Row[]> {
  if (spawnSync('bwrap', BARE).status !== 0) return [];
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  const drain = (flags: readonly string[]): void => {
    if (flags.length > 0) queuectl(['enqueue', '-', '--lines', '--cwd', cwd, ...flags], 'true\n'.repeat(JOBS));
    queuectl(['worker', 'run', '--drain']);
  };
  say(`${JOBS} jobs in sandboxes, ${ROUNDS} times`);
  const times = await takeTurns(ROUNDS, {
    nothing: () => drain([]),
    sandboxed: () => drain(['--sandbox', 'strict']),
    bare: () => {
      for (let i = 0; i < JOBS; i++) spawnSync('bwrap', BARE);
    },
  });
  const [ours, theirs] = [(times.sandboxed - times.nothing) / JOBS, times.bare / JOBS];
  return [
    {
      measure: 'a job that is `true` in the sandbox strict, from enqueue to its end',
      against: 'bwrap … true',
      ours: ms(ours),
      theirs: ms(theirs),
      ...atMost(ours / theirs, 3),
    },
  ];
}
