// Measures a worker with very many jobs at once, and an idle worker.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuUsOf } from '../cpu.ts';
import { elapsed, inSandbox, type Sandbox } from '../measure.ts';
import { atMost, type Bench, count } from '../row.ts';

const RUNNING = 500;
const STOPPED = 2000;
const IDLE_SECONDS = 20;

interface Running {
  readonly pid: number;
  readonly startedInMs: number;
}

export const benches: Bench[] = [
  {
    name: 'many',
    summary: 'very many jobs at once in one worker',
    on: 'SQLite',
    rows: async function* () {
      const common = { against: 'a limit', unit: 'ms', target: atMost(1), rounds: 3 } as const;
      yield {
        ...common,
        measure: `start ${RUNNING} jobs that sleep, in one worker`,
        ours: () => withJobs(RUNNING, (_, { startedInMs }) => startedInMs),
        peer: 5000,
      };
      yield {
        ...common,
        measure: `memory of a worker with ${RUNNING} running jobs`,
        unit: 'MiB',
        ours: () => withJobs(RUNNING, (_, { pid }) => residentMebibytes(pid)),
        peer: 200,
      };
      yield {
        ...common,
        measure: `stop ${count(STOPPED)} running jobs by force and requeue them`,
        ours: () => withJobs(STOPPED, ({ queuectl }) => elapsed(() => queuectl(['worker', 'stop', '--force']))),
        peer: 5000,
      };
      yield {
        ...common,
        measure: `stop ${count(STOPPED)} jobs of a killed worker and requeue them`,
        ours: () =>
          withJobs(STOPPED, ({ queuectl }, { pid }) => {
            process.kill(pid, 'SIGKILL');
            return elapsed(() => queuectl(['worker', 'stop'])); // rescues the jobs of dead workers
          }),
        peer: 5000,
      };
    },
  },
  {
    name: 'idle',
    summary: 'an idle worker',
    on: 'SQLite',
    rows: async function* ({ queuectl }) {
      const [{ pid }] = JSON.parse(queuectl(['worker', 'start', '--json'])) as [{ pid: number }];
      await sleep(2000); // excludes its start
      const common = { against: 'a limit', target: atMost(1), rounds: 1 } as const;
      const inSeconds = async (of: (pid: number) => number): Promise<number> => {
        const before = of(pid);
        await sleep(IDLE_SECONDS * 1000);
        return of(pid) - before;
      };
      yield {
        ...common,
        measure: 'an idle worker, share of a core',
        unit: '%',
        ours: async () => ((await inSeconds(cpuUsOf)) / (IDLE_SECONDS * 1e6)) * 100,
        peer: 0.5,
      };
      yield {
        ...common,
        measure: 'an idle worker, written per heartbeat (5 s)',
        unit: 'KiB',
        ours: async () => (await inSeconds(writtenBytes)) / (IDLE_SECONDS / 5) / 1024,
        peer: 32,
      };
    },
  },
];

/** `work` runs while one worker of a separate queue executes this many jobs. */
const withJobs = (
  jobs: number,
  work: (sandbox: Sandbox, running: Running) => number | Promise<number>,
): Promise<number> =>
  inSandbox(async (sandbox) => {
    const { folder, queuectl } = sandbox;
    const [{ pid }] = JSON.parse(queuectl(['worker', 'start', '--concurrency', String(jobs), '--json']));
    const ledger = join(folder, 'ledger');
    writeFileSync(ledger, '');
    queuectl(['enqueue', '-', '--lines'], `echo x >> ${ledger}; exec sleep 300\n`.repeat(jobs));
    const startedInMs = await elapsed(async () => {
      while (statSync(ledger).size < 2 * jobs) await sleep(5);
    });
    return work(sandbox, { pid, startedInMs });
  });

const residentMebibytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
