// Measures the cost of a sandbox: sandboxed no-op jobs, compared with bare bubblewrap calls.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed } from '../measure.ts';
import { skipped } from '../peers.ts';
import { atMost, type Bench } from '../row.ts';

const JOBS = 100;
const BARE = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'];

export const benches: Bench[] = [
  {
    name: 'confined',
    summary: 'a job in the sandbox `strict`',
    on: 'SQLite',
    rows: async function* ({ folder, queuectl }) {
      if (spawnSync('bwrap', BARE).status !== 0) return skipped('bwrap', 'it is not installed or may not run here');
      const cwd = join(folder, 'work');
      mkdirSync(cwd);
      const drain = (): unknown => queuectl(['worker', 'run', '--drain']);
      const sandboxed = (): void => {
        const flags = ['--cwd', cwd, '--sandbox', 'strict'];
        queuectl(['enqueue', '-', '--lines', ...flags], 'true\n'.repeat(JOBS));
        drain();
      };
      yield {
        measure: 'a job `true` in the sandbox `strict`, from enqueue to end',
        against: '`bwrap … true`',
        unit: 'ms',
        target: atMost(3),
        durable: 'ours',
        ours: async () => ((await elapsed(sandboxed)) - (await elapsed(drain))) / JOBS,
        peer: async () => {
          const all = await elapsed(() => {
            for (let i = 0; i < JOBS; i++) spawnSync('bwrap', BARE);
          });
          return all / JOBS;
        },
      };
    },
  },
];
