// A queue that becomes read-only: commands report it, workers wait, and work continues once it is writable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDisk, testsWithDisks } from './disk.ts';

const READ_ONLY = /^error: cannot write to database '.*queue\.db' \(.*\)\n hint: .*writable/;

testsWithDisks(import.meta.filename, () => {
  test('a worker whose directory became read-only continues, and keeps the end of output that needs a file', async (t) => {
    const disk = await newDisk(t, 16, { poll_interval: 0.1 }); // workers cannot be woken by touching a file there
    const worker = await disk.worker();
    await disk.add({ id: 'before', command: 'true' });
    await disk.untilState('before', 'completed');
    disk.makeReadOnly();
    // Uses connections opened before, because new ones would fail.
    await disk.add({ id: 'small', command: 'echo x' }, { id: 'large', command: 'seq 5000' });
    for (const id of ['small', 'large']) {
      const job = await disk.untilState(id, 'completed');
      assert.deepEqual([job.attempts, job.interruptions], [1, 0]);
    }
    disk.makeWritable();
    assert.match(await disk.output('small'), /^x$/m);
    assert.match(await disk.output('large'), /^5000$/m);
    worker.kill('SIGTERM');
    assert.equal((await worker.ended).code, 0);
  });

  test('a read-only queue in use rejects changes with exit code 5 and allows reads', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: 'true' });
    disk.makeReadOnly();
    for (const command of [
      ['enqueue', 'true'],
      ['cancel', 'a'],
      ['worker', 'run'],
      ['worker', 'start'],
    ])
      assert.match(await disk.cli.rejected(5, command), READ_ONLY);
    for (const command of [['serve'], ['migrate', '--to', `${disk.cli.folder}/other.db`]])
      assert.match(await disk.cli.rejected(1, command), /^error: cannot write '.*': .*\n hint: .*disk/);
    assert.deepEqual(
      (await disk.cli.jobs()).map(({ id }) => id),
      ['a'],
    );
    assert.equal((await disk.cli.json('status')).pending, 1);
    const doctor = await disk.cli.run(['doctor']);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /fail +files +cannot write to .*queue\.db\n/);
    disk.makeWritable();
    await disk.cli.drain();
    assert.equal((await disk.cli.show('a')).state, 'completed');
  });

  test('an unused read-only queue fails with exit code 5', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: 'true' });
    await disk.queue.close();
    disk.makeReadOnly();
    const rejection = await disk.cli.rejected(5, ['enqueue', 'true']);
    assert.match(rejection, /^error: cannot (write to|open) database '.*queue\.db' \(.*\)\n hint: .*directory/);
    disk.makeWritable();
    await disk.cli.drain();
    assert.equal((await disk.cli.show('a')).state, 'completed');
  });
});
