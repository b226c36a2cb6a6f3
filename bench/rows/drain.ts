// Measures draining short jobs with a running worker, compared with tools that run the same commands four at a time.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { drainRate } from '../drained.ts';
import { rate } from '../measure.ts';
import { haveProgram } from '../peers.ts';
import { atLeast, type Bench, count, type Kit, type Row } from '../row.ts';

const JOBS = 2000;
const PARALLEL = 4;

interface Peer {
  readonly program: string;
  readonly debianPackage?: string;
  readonly against: string;
  readonly target: number;
  readonly jobs: number;
  readonly durable: Row['durable'];
  /** Shell script that runs all jobs and returns when they have finished. */
  readonly script: (jobs: number) => string;
}

const PEERS: readonly Peer[] = [
  {
    program: 'tsp',
    debianPackage: 'task-spooler',
    against: `task-spooler, ${PARALLEL} slots, in memory`,
    target: 1.2,
    jobs: JOBS,
    durable: 'ours',
    script: (jobs) =>
      `tsp -S ${PARALLEL}; for i in $(seq ${jobs}); do tsp -n sh -c true; done > /dev/null; tsp -w; tsp -K`,
  },
  {
    program: 'parallel',
    debianPackage: 'parallel',
    against: `GNU parallel -j${PARALLEL} --joblog, not synced`,
    target: 3,
    jobs: JOBS / 2,
    durable: 'ours',
    script: (jobs) => `seq ${jobs} | parallel -j ${PARALLEL} --joblog joblog "sh -c true"`,
  },
  {
    program: 'nq',
    debianPackage: 'nq',
    against: 'nq, one at a time, not synced',
    target: 2,
    jobs: JOBS / 10,
    durable: 'ours',
    script: (jobs) => `for i in $(seq ${jobs}); do nq -q sh -c true; done > /dev/null; nq -w`,
  },
  {
    program: 'pueue',
    against: `pueue, ${PARALLEL} at once, not synced`,
    target: 2,
    jobs: JOBS / 10,
    durable: 'ours',
    script: (jobs) => `export XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD XDG_RUNTIME_DIR=$PWD; mkdir -p pueue
      echo 'shared: {}\nclient: {}\ndaemon: {}' > pueue/pueue.yml; pueued -d; until pueue status; do sleep 0.1; done
      pueue parallel ${PARALLEL}; for i in $(seq ${jobs}); do pueue add -- true; done; pueue wait; pueue shutdown`,
  },
];

export const benches: Bench[] = [
  {
    name: 'drain',
    summary: 'run short jobs, compared with xargs',
    on: 'SQLite',
    rows: async function* (kit) {
      const small = join(kit.folder, 'small.gz');
      writeFileSync(small, gzipSync('a small file\n'.repeat(50)));
      startWorker(kit);
      for (const [command, title, target] of [
        ['/bin/true', '/bin/true', 1],
        ['true', 'true', 0.72],
        [`gzip -t ${small}`, 'gzip -t small.gz', 1],
      ] as const) {
        const script = `yes | head -n ${JOBS} | xargs -P ${PARALLEL} -n 1 sh -c '${command}'`;
        yield {
          measure: `drain ${count(JOBS)} × \`${title}\`, ${PARALLEL} at once`,
          against: `\`xargs -P${PARALLEL} sh -c …\`, no queue`,
          unit: '/s',
          target: atLeast(target),
          durable: 'ours',
          warmUp: true,
          ours: () => drainRate(kit, command, JOBS),
          peer: () => scriptRate(kit, 'xargs', script, JOBS),
        };
      }
    },
  },
  {
    name: 'drain-peers',
    summary: 'run short jobs, compared with other queues for commands',
    on: 'SQLite',
    rows: async function* (kit) {
      startWorker(kit);
      for (const { program, debianPackage, against, target, jobs, durable, script } of PEERS) {
        if (!haveProgram(program, debianPackage, kit.say)) continue;
        yield {
          measure: `drain \`true\`, ${PARALLEL} at once`,
          against,
          unit: '/s',
          target: atLeast(target),
          ...(durable && { durable }),
          rounds: 3,
          warmUp: true,
          ours: () => drainRate(kit, 'true', JOBS),
          peer: () => scriptRate(kit, program, script(jobs), jobs),
        };
      }
    },
  },
];

const startWorker = ({ queuectl }: Kit): unknown => queuectl(['worker', 'start', '--concurrency', String(PARALLEL)]);

/**
 * ext4 is slow to reuse inodes of recently removed files, and parallel removes two per job, so its files are in memory
 * to avoid slowing down later contestants. nq reads all jobs in its directory, so each round begins with an empty one.
 */
function scriptRate(
  { folder: outer, environment }: Kit,
  program: string,
  script: string,
  jobs: number,
): Promise<number> {
  const folder = mkdtempSync(join(outer, `${program}-`));
  const env = {
    ...environment,
    TMPDIR: existsSync('/dev/shm') ? '/dev/shm' : folder,
    TS_SOCKET: join(folder, 'tsp'),
    NQDIR: folder,
    PARALLEL_HOME: folder,
  };
  return rate(jobs, () => {
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, env });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  });
}
