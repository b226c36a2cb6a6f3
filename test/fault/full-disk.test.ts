// A full disk: nothing is lost, no job fails because of it, and work continues once there is space.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isAlive } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { type Disk, newDisk, testsWithDisks } from './disk.ts';

const PAGE = 4096;
const FULL = /^error: the disk of '.*queue\.db' is full; nothing was changed\n hint: /;
const UNTIL_END = 'echo $QUEUECTL_JOB_ID >> started; until [ -e end ]; do sleep 0.02; done; echo x >> ended';

/** Waits until the job runs and its worker has recorded the start. */
async function untilRunning(disk: Disk, id: string): Promise<void> {
  await disk.untilLines('started', 1);
  await until('its start is recorded', async () => (await disk.history(id))[0]?.pid);
}

testsWithDisks(import.meta.filename, () => {
  test('an enqueue on a filling disk either succeeds or fails with exit code 5', async (t) => {
    const disk = await newDisk(t, 16);
    disk.fill(300_000);
    const payload = 'x'.repeat(20_000);
    const acknowledged: string[] = [];
    let rejected = 0;
    for (let i = 0; rejected < 3; i++) {
      const id = `job-${i}`;
      const args = ['enqueue', '--id', id, '--print-id', `: ${payload}`];
      const result = await disk.cli.run(args);
      if (result.code === 0) {
        assert.equal(result.stdout, `${id}\n`);
        acknowledged.push(id);
      } else {
        assert.deepEqual([result.code, result.stdout], [5, '']);
        assert.match(result.stderr, FULL);
        rejected++;
      }
    }
    assert.ok(acknowledged.length > 0, 'some had room');
    assert.deepEqual(await disk.ids(), acknowledged);
    disk.free();
    assert.deepEqual(await disk.ids(), acknowledged);
    assert.deepEqual(await disk.queue.store.check(), []);
    await disk.cli.enqueue('true');
  });

  test('a batch without enough disk space stores no job', async (t) => {
    const disk = await newDisk(t, 16);
    disk.fill(1_000_000);
    const line = JSON.stringify({ command: `: ${'x'.repeat(10_000)}` });
    const input = `${line}\n`.repeat(300);
    assert.match(await disk.cli.rejected(5, ['enqueue', '-'], { input }), FULL);
    assert.deepEqual(await disk.ids(), []);
    disk.free();
    assert.equal((await disk.cli.run(['enqueue', '-'], { input })).code, 0);
    assert.equal((await disk.ids()).length, 300);
    assert.deepEqual(await disk.queue.store.check(), []);
  });

  test('the first command on a full disk reports that the disk is full', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: 'true' });
    await disk.queue.close(); // the last process to close leaves a single file
    disk.fill();
    assert.match(await disk.cli.rejected(5, ['enqueue', 'true']), FULL);
    disk.free();
    assert.deepEqual(
      (await disk.cli.jobs()).map(({ id }) => id),
      ['a'],
    );
  });

  test('a queue cannot be created on a full disk, but can be once there is space', async (t) => {
    const disk = await newDisk(t, 16);
    disk.fill();
    const db = `${disk.cli.home}/other.db`;
    assert.match(await disk.cli.rejected(5, ['--db', db, 'enqueue', 'true']), /full/);
    disk.free();
    await disk.cli.text('--db', db, 'enqueue', 'true');
  });

  test('a job that ends while the disk is full is recorded once there is space, and waiting jobs continue', async (t) => {
    const disk = await newDisk(t, 16);
    const waiting = Array.from({ length: 5 }, (_, i) => `waiting-${i}`);
    await disk.add(
      { id: 'running', command: UNTIL_END, max_retries: 0 },
      ...waiting.map((id) => ({ id, command: 'echo x >> done', max_retries: 0 })),
    );
    const worker = await disk.worker();
    await untilRunning(disk, 'running');
    disk.fillToTheLastPage();
    assert.match(await disk.cli.rejected(5, ['enqueue', 'true']), FULL);
    await disk.cli.sh('touch end');
    await until('the worker says what is wrong', () => /degraded: .* is full/.test(worker.stderr()));
    assert.deepEqual([disk.lines('ended').length, disk.lines('done').length], [1, 0]);
    assert.equal((await disk.job('running')).state, 'processing');
    assert.ok(isAlive(worker.pid));
    disk.free();
    for (const id of ['running', ...waiting]) {
      const job = await disk.untilState(id, 'completed');
      assert.deepEqual([job.attempts, job.interruptions], [1, 0], id);
      assert.deepEqual(await disk.outcomes(id), ['completed']);
    }
    assert.equal(disk.lines('done').length, 5, 'each ran once');
    assert.ok(isAlive(worker.pid));
    worker.kill('SIGTERM');
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(await disk.queue.store.check(), []);
  });

  test('a background worker whose log is on the full disk continues', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: UNTIL_END, max_retries: 0 }, { id: 'b', command: 'true' });
    const [worker = assert.fail()] = await disk.start();
    await untilRunning(disk, 'a');
    const log = path.join(disk.queue.place.run, `${worker.id}.log`);
    fs.appendFileSync(log, '.'.repeat(PAGE - (fs.statSync(log).size % PAGE))); // no more bytes without a new page
    const { size } = fs.statSync(log);
    disk.fillToTheLastPage();
    await disk.cli.sh('touch end');
    await disk.untilLines('ended', 1);
    const [attempt] = await disk.history('a');
    await until('it is buried', () => !fs.existsSync(`/proc/${attempt?.pid}`));
    // The worker that noticed the exit keeps trying to record it and fails.
    await disk.cli.text('status');
    await disk.cli.text('status');
    assert.ok(isAlive(worker.pid), 'it lives without a log');
    assert.equal(fs.statSync(log).size, size, 'it could not write a word');
    disk.free();
    for (const id of ['a', 'b']) {
      const job = await disk.untilState(id, 'completed');
      assert.deepEqual([job.attempts, job.interruptions], [1, 0], id);
    }
    assert.ok(isAlive(worker.pid));
  });

  test('a worker can be stopped gracefully and by force while the disk is full', async (t) => {
    const disk = await newDisk(t, 16, { kill_grace: 0.2 });
    for (const flags of [[], ['--force']]) {
      await disk.add({ id: `a${flags}`, command: flags.length > 0 ? 'sleep 60' : UNTIL_END });
      const [worker = assert.fail()] = await disk.start();
      await disk.untilState(`a${flags}`, 'processing');
      await disk.cli.sh('touch end');
      disk.fillToTheLastPage();
      const stopping = disk.cli.start(['worker', 'stop', ...flags]);
      if (flags.length === 0) {
        await disk.untilLines('ended', 1);
        disk.free(); // the worker stays until its job is settled
      }
      const { code, stdout } = await stopping.ended;
      assert.deepEqual([code, stdout], [0, `${worker.id}  stopped\n`]);
      assert.ok(!isAlive(worker.pid));
    }
    disk.free();
    await disk.cli.drain();
    assert.equal((await disk.job('a')).state, 'completed');
  });

  test('a worker that cannot write heartbeats for a whole lease keeps its job', async (t) => {
    const disk = await newDisk(t, 16, { heartbeat_interval: 0.2, lease_duration: 1 });
    await disk.add({ id: 'a', command: UNTIL_END });
    const worker = await disk.worker();
    await untilRunning(disk, 'a');
    disk.fillToTheLastPage();
    await until('the worker says what is wrong', () => /degraded: .* is full/.test(worker.stderr()));
    const { lastHeartbeat } = (await disk.workerOf(worker.id)) ?? assert.fail();
    await until('its lease is over', () => Date.now() - lastHeartbeat > 1500);
    disk.free();
    await until('its heart beats', async () => {
      const seen = await disk.workerOf(worker.id);
      return seen !== undefined && seen.lastHeartbeat > lastHeartbeat;
    });
    await disk.cli.sh('touch end');
    const job = await disk.untilState('a', 'completed');
    assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
  });

  test('a job whose output does not fit on the disk continues without losing output', async (t) => {
    const disk = await newDisk(t, 16, { heartbeat_interval: 0.1 });
    disk.makeRoomWithin();
    const worker = await disk.worker('--concurrency', '2');
    disk.fill();
    await disk.add(
      { id: 'small', command: 'echo small', max_retries: 0 },
      { id: 'large', command: `sleep 0.1; seq 1 3000; ${UNTIL_END}; echo last`, max_retries: 0 },
    );
    await disk.untilState('small', 'completed');
    assert.equal(await disk.output('small'), 'small');
    await disk.untilLines('started', 1);
    disk.free();
    await disk.cli.sh('touch end');
    const job = await disk.untilState('large', 'completed');
    assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
    const lines = (await disk.output('large')).split('\n');
    assert.deepEqual([lines.length, lines[2999], lines.at(-1)], [3001, '3000', 'last']);
    assert.ok(isAlive(worker.pid));
  });

  test('status reports a full disk as text and as JSON until there is space', async (t) => {
    const disk = await newDisk(t, 80);
    await disk.add({ id: 'a', command: 'true' });
    const degraded = async (): Promise<unknown> => (await disk.cli.json('status')).degraded;
    assert.deepEqual(await degraded(), []);
    assert.doesNotMatch(await disk.cli.text('status'), /degraded/);
    disk.fillToTheLastPage();
    assert.deepEqual(await degraded(), [`only 0 KiB left on the disk of ${disk.cli.home}`]);
    assert.match(await disk.cli.text('status'), /^! degraded: only 0 KiB left on the disk of /m);
    disk.free();
    assert.deepEqual(await degraded(), []);
  });
});
