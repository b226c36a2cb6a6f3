// A database deleted under its worker: running jobs finish, and the worker reports why it exits.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { type Fleet, isAlive, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

const UNTIL_END = 'echo x >> started; until [ -e end ]; do sleep 0.02; done; echo x >> ended';
const GONE = /\nerror: database '.*queue\.db' was deleted or replaced while in use\n hint: .+\n$/;

function removeDatabase({ cli }: Fleet): void {
  for (const end of ['', '-wal', '-shm']) fs.rmSync(`${cli.db}${end}`, { force: true });
}

/** The process ID of an attempt is stored after the turn that started it, so the start itself is on disk by then. */
const untilStartStored = ({ cli }: Fleet, id: string) =>
  until(`the start of job ${id} is stored`, async () => {
    const [attempt] = (await cli.show(id)).history as { pid: number | null }[];
    return attempt?.pid != null;
  });

test('a worker whose database is deleted finishes its job, then exits with code 5', async (t) => {
  const fleet = await newFleet(t, { poll_interval: 0.1 });
  await fleet.add({ id: 'a', command: UNTIL_END }, { id: 'b', command: 'echo x >> other' });
  const worker = await fleet.worker();
  await fleet.untilLines('started', 1);
  await untilStartStored(fleet, 'a');
  removeDatabase(fleet);
  await until('it has noticed', () => /degraded: .* was deleted or replaced/.test(worker.stderr()));
  assert.ok(isAlive(worker.pid), 'its job runs on');
  await fleet.cli.sh('touch end');
  const { code, stderr } = await worker.ended;
  assert.equal(code, 5, stderr);
  assert.match(stderr, GONE);
  assert.deepEqual([fleet.lines('ended').length, fleet.lines('other').length], [1, 0]);
  assert.equal(fs.existsSync(fleet.cli.db), false, 'it was not made anew');
  await fleet.cli.enqueue('--id', 'a', 'true');
  await fleet.cli.drain();
  assert.equal((await fleet.cli.show('a')).state, 'completed');
});

test('an idle worker whose database is deleted exits with code 5', async (t) => {
  const fleet = await newFleet(t, { poll_interval: 0.1 });
  const worker = await fleet.worker();
  removeDatabase(fleet);
  const { code, stderr } = await worker.ended;
  assert.equal(code, 5, stderr);
  assert.match(stderr, GONE);
});

test('a worker of a deleted queue does not touch a new queue at the same path', async (t) => {
  const fleet = await newFleet(t, { poll_interval: 0.1 });
  await fleet.add({ id: 'a', command: UNTIL_END });
  const old = await fleet.worker();
  await fleet.untilLines('started', 1);
  await untilStartStored(fleet, 'a');
  removeDatabase(fleet);
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await fleet.cli.enqueue('--id', id, 'echo x >> new');
  await until('it has noticed', () => /degraded: .* was deleted or replaced/.test(old.stderr()));
  await fleet.cli.sh('touch end');
  assert.equal((await old.ended).code, 5);
  assert.deepEqual((await fleet.cli.jobs('--state', 'pending')).map(({ id }) => id).sort(), ids);
  await fleet.cli.drain();
  assert.deepEqual((await fleet.cli.jobs('--state', 'completed')).map(({ id }) => id).sort(), ids);
  assert.deepEqual([fleet.lines('new').length, fleet.lines('ended').length], [3, 1]);
});

test('run reports a deleted database after its command has finished, and exits with code 5', async (t) => {
  const fleet = await newFleet(t);
  const running = fleet.cli.start(['run', '--id', 'a', `echo first; ${UNTIL_END}; echo last`]);
  await fleet.untilLines('started', 1);
  await untilStartStored(fleet, 'a');
  removeDatabase(fleet);
  await until('it has shown the beginning', () => running.stdout() === 'first\n');
  await fleet.cli.sh('touch end');
  const { code, stdout, stderr } = await running.ended;
  assert.equal(code, 5, stderr);
  assert.equal(stdout, 'first\nlast\n');
  assert.match(stderr, /^error: database '.*queue\.db' was deleted or replaced while in use\n hint: .+\n$/);
  assert.equal(fleet.lines('ended').length, 1);
});

test('run and logs -f report a deleted database while a worker runs the job', async (t) => {
  const fleet = await newFleet(t);
  const worker = await fleet.worker();
  const running = fleet.cli.start(['run', '--id', 'a', UNTIL_END]);
  await fleet.untilLines('started', 1);
  const following = fleet.cli.start(['logs', '-f', 'a']);
  await until('it follows', () => following.stdout().includes('--- START'));
  removeDatabase(fleet);
  for (const { ended } of [running, following]) {
    const { code, stderr } = await ended;
    assert.equal(code, 5, stderr);
    assert.match(stderr, /^error: .* was deleted or replaced while in use\n/);
  }
  await fleet.cli.sh('touch end');
  assert.equal((await worker.ended).code, 5);
});
