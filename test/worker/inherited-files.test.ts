// Files that a worker inherits must not reach jobs, whatever their numbers and the way of starting.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { whyNoSandbox } from '../../src/isolation/sandbox/bubblewrap.ts';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** Runs the command with three more open files than Node closes by itself. */
const HOLDING = ['bash', '-c', 'exec 9</ 30</etc 108</; exec "$@"', 'bash'];

const library = path.join(import.meta.dirname, '../../src/library/index.ts');

/** Prints the job's open files above 2. */
const LOOK = 'cd /proc/$$/fd; for fd in *; do [ "$fd" -gt 2 ] && readlink "$fd"; done; echo seen';

async function looksOf(fleet: Fleet): Promise<Record<string, string>> {
  const isRoot = process.getuid?.() === 0;
  const look = { command: LOOK, cwd: '/', max_retries: 0 };
  const jobs = [
    { id: 'plain', ...look },
    { id: 'limited', ...look, open_files: 200 },
    { id: 'hooked', command: 'true', hooks: { on_success: LOOK } },
    ...(isRoot ? [{ id: 'other', ...look, user: 'nobody' }] : []),
    ...((await whyNoSandbox()) === null ? [{ id: 'boxed', ...look, cwd: '/usr', sandbox: 'network' }] : []),
  ];
  await fleet.add(...jobs);
  for (const { id } of jobs) await fleet.untilFinal(id);
  const looks: Record<string, string> = {};
  const hooks = await until('the hook is there', async () => {
    const all = await fleet.cli.jobs('--limit', '0');
    return all.length > jobs.length && all;
  });
  for (const { id, command } of hooks) {
    if (command !== LOOK) continue;
    await fleet.untilFinal(String(id));
    looks[String(id)] = await fleet.output(String(id));
  }
  return looks;
}

function expectNothing(looks: Record<string, string>): void {
  assert.ok(Object.keys(looks).length >= 3);
  for (const [id, seen] of Object.entries(looks)) assert.equal(seen, 'seen', id);
}

test('a foreground worker passes no inherited files on', async (t) => {
  const fleet = await newFleet(t);
  fleet.cli.start(['worker', 'run'], { through: HOLDING });
  expectNothing(await looksOf(fleet));
});

test('a background worker passes no inherited files on', async (t) => {
  const fleet = await newFleet(t);
  const { code, stderr } = await fleet.cli.start(['worker', 'start'], { through: HOLDING }).ended;
  assert.equal(code, 0, stderr);
  expectNothing(await looksOf(fleet));
});

for (const line of [['run'], ['enqueue', '--wait', '--work', '1']])
  test(`${line.join(' ')} passes no inherited files on`, async (t) => {
    const fleet = await newFleet(t);
    const { stdout } = await fleet.cli.start([...line, LOOK], { through: HOLDING }).ended;
    const [job] = await fleet.cli.jobs();
    assert.equal(await fleet.output(String(job?.id)), 'seen', stdout);
  });

test('a library worker passes no inherited files on, and the program keeps them', async (t) => {
  const fleet = await newFleet(t);
  const program = fleet.path('program.ts');
  fs.writeFileSync(
    program,
    `import { fstatSync } from 'node:fs';
     import { openQueue } from ${JSON.stringify(library)};
     const queue = await openQueue({ db: ${JSON.stringify(fleet.cli.db)} });
     await queue.enqueue({ id: 'seen', command: ${JSON.stringify(LOOK)}, cwd: '/' });
     await (await queue.work({ drain: true })).ended;
     await queue.close();
     if (!fstatSync(108).isDirectory()) throw new Error('it is gone');`,
  );
  const [shell = '', ...line] = [...HOLDING, process.execPath, program];
  const { stderr } = await promisify(execFile)(shell, line, { env: { ...process.env, ...fleet.cli.place } });
  assert.equal(await fleet.output('seen'), 'seen', stderr);
});

test('a profile that V8 writes does not end up in the database', async (t) => {
  const { cli } = await newFleet(t);
  const profiling = ['--perf-basic-prof', `--perf-basic-prof-path=${cli.folder}`];
  const program = path.join(import.meta.dirname, '../../dist/queuectl.cjs');
  const env = { ...process.env, ...cli.place };
  await promisify(execFile)(process.execPath, [...profiling, program, 'run', 'echo hi'], { env, cwd: cli.folder });
  assert.deepEqual(
    (await cli.jobs()).map(({ state }) => state),
    ['completed'],
  );
  assert.ok(fs.readdirSync(cli.folder).some((name) => name.startsWith('perf-')));
});
