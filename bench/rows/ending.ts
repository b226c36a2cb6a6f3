// Measures stopping very many jobs: two thousand in a worker stopped by force, and two thousand left by a killed
// worker.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSandbox, type Sandbox } from '../measure.ts';
import { atMost, type Bench, ms, type Row } from '../row.ts';

const AT_ONCE = 2000;
const WITHIN_MS = 5000;

export const bench: Bench = {
  name: 'ending',
  run: async (say) => [
    ...(await inSandbox((sandbox) => stoppedByForce(sandbox, say))),
    ...(await inSandbox((sandbox) => leftByKilled(sandbox, say))),
  ],
};

async function stoppedByForce(sandbox: Sandbox, say: (line: string) => void): Promise<Row[]> {
  await runningJobs(sandbox, say);
  const elapsed = await timed(() => sandbox.queuectl(['worker', 'stop', '--force']));
  return [row(`${AT_ONCE} running jobs, stopped by force: all ended and put back`, elapsed)];
}

async function leftByKilled(sandbox: Sandbox, say: (line: string) => void): Promise<Row[]> {
  const { pid } = await runningJobs(sandbox, say);
  process.kill(pid, 'SIGKILL');
  const elapsed = await timed(() => sandbox.queuectl(['worker', 'stop'])); // rescues the jobs of dead workers
  return [row(`${AT_ONCE} jobs of a killed worker: all ended and put back`, elapsed)];
}

async function runningJobs(
  { folder, queuectl }: Sandbox,
  say: (line: string) => void,
): Promise<{ readonly pid: number }> {
  say(`${AT_ONCE} jobs at once`);
  const [worker] = JSON.parse(queuectl(['worker', 'start', '--concurrency', String(AT_ONCE), '--json']));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  queuectl(['enqueue', '-', '--lines'], `echo x >> ${ledger}; exec sleep 300\n`.repeat(AT_ONCE));
  while (statSync(ledger).size < 2 * AT_ONCE) await sleep(10);
  return worker;
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

const row = (measure: string, elapsed: number): Row => ({
  measure,
  against: '5 s',
  ours: ms(elapsed),
  theirs: '5,000 ms',
  ...atMost(elapsed / WITHIN_MS, 1),
});
