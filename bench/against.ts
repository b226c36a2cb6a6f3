// Compares this commit with another one, taking turns: scripts/node bench/against.ts FOLDER [ROUNDS]. FOLDER is a clone
// in which scripts/prepare has been run. Reports CPU time too, which other load on the machine affects less than
// elapsed time.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../src/cli/render/kit/table.ts';
import { drainedAt } from './drained.ts';
import { inSandbox, median, root } from './measure.ts';
import { UNITS } from './row.ts';

const DRAINED = 2000;
const LINES = 50_000;
/** Number of commands per measurement, because a single one is too short. */
const SINGLES = 20;
const TICKS_PER_MS = 0.1;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

type Measure = (tree: string) => Promise<Cost>;

const MEASURES: readonly [name: string, measure: Measure][] = [
  [`${SINGLES} × enqueue`, (tree) => inOwnQueue(tree, '', `for i in $(seq ${SINGLES}); do @ enqueue true; done`)],
  [
    `enqueue of ${LINES.toLocaleString('en-US')} lines`,
    (tree) => inOwnQueue(tree, 'true\n'.repeat(LINES), '@ enqueue - --lines'),
  ],
  [`drain ${DRAINED.toLocaleString('en-US')} × true`, drain],
];

const [, , folder, rounds = '9'] = process.argv;
if (folder === undefined) throw new Error('usage: scripts/node bench/against.ts FOLDER [ROUNDS]');
const trees = { other: resolve(folder), this: root };

const rows: string[][] = [];
for (const [name, measure] of MEASURES) {
  const costs: Record<keyof typeof trees, Cost[]> = { other: [], this: [] };
  for (let round = 0; round < Number(rounds); round++) {
    for (const tree of inTurn(round)) costs[tree].push(await measure(trees[tree]));
  }
  rows.push(
    rowOf(name, 'clock', costs, ({ wallMs }) => wallMs),
    rowOf(name, 'CPU', costs, ({ cpuMs }) => cpuMs),
  );
}
console.log(
  table(
    [
      { title: 'measure' },
      { title: '' },
      { title: 'other', align: 'right' },
      { title: 'this', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: 'of pairs', align: 'right' },
    ],
    rows,
    null,
  ),
);

/** Alternates the order, because the second one meets a different machine. */
function inTurn(round: number): (keyof typeof trees)[] {
  return round % 2 === 0 ? ['other', 'this'] : ['this', 'other'];
}

function rowOf(
  name: string,
  what: string,
  costs: Record<keyof typeof trees, Cost[]>,
  of: (cost: Cost) => number,
): string[] {
  const [other, own] = [costs.other.map(of), costs.this.map(of)];
  const pairs = own.map((value, i) => value / (other[i] ?? Number.NaN));
  const ratio = median(own) / median(other);
  return [name, what, UNITS.ms(median(other)), UNITS.ms(median(own)), ratio.toFixed(3), median(pairs).toFixed(3)];
}

/** `script` runs in bash, which reports the CPU time of its children; @ stands for the program. */
function inOwnQueue(tree: string, input: string, script: string): Promise<Cost> {
  return inSandbox(async ({ environment }) => {
    const program = join(tree, 'bin', 'queuectl');
    spawnSync(program, ['init'], { env: environment });
    const text = `TIMEFORMAT='%R %U %S'; time { ${script.replaceAll('@', program)}; } > /dev/null`;
    const { stderr, status } = spawnSync('bash', ['-c', text], { env: environment, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const [real = 0, user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
    return { wallMs: real * 1000, cpuMs: (user + system) * 1000 };
  });
}

/** CPU time of the worker without its jobs, from the last enqueue until all jobs are completed. */
function drain(tree: string): Promise<Cost> {
  return inSandbox(async ({ environment }) => {
    const program = join(tree, 'bin', 'queuectl');
    const call = (args: readonly string[], input = ''): string =>
      spawnSync(program, args, { env: environment, input, encoding: 'utf8' }).stdout;
    call(['worker', 'start', '--concurrency', '4']);
    const [{ pid }] = JSON.parse(call(['worker', 'list', '--json'])) as [{ pid: number }];
    call(['enqueue', 'true', '--queue', 'default']);
    const { Queue } = (await import(join(tree, 'src', 'queue', 'queue.ts'))) as typeof import('../src/queue/queue.ts');
    const queue = await Queue.open({ environment });
    await drainedAt(queue, 1);
    call(['enqueue', '-', '--lines'], 'true\n'.repeat(DRAINED));
    const [startedAt, before] = [Date.now(), cpuMsOf(pid)];
    const wallMs = (await drainedAt(queue, 1 + DRAINED)) - startedAt;
    const cost = { wallMs, cpuMs: cpuMsOf(pid) - before };
    await queue.close();
    call(['worker', 'stop']);
    return cost;
  });
}

/** User and system time of all threads. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS;
}
