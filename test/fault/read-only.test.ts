// A queue that becomes read-only: commands say so, workers wait, and all goes on by itself when it can be written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDisk, testsWithDisks } from './disk.ts';

const READ_ONLY = /^error: cannot write to database '.*queue\.db' \(.*\)\n hint: .*writable/;

testsWithDisks(import.meta.filename, () => {
  test('a worker whose folder became read-only works on, and keeps the last words of output that needs a file', async (t) => {
    const disk = await newDisk(t, 16, { poll_interval: 0.1 }); // nobody can be woken by touching a file there
    const worker = await disk.worker();
    await disk.add({ id: 'before', command: 'true' });
    await disk.untilState('before', 'completed');
    disk.makeReadOnly();
    // Through connections from before, as neither could be opened otherwise.
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

  test('what would change a read-only queue in use is refused with exit code 5, and looking at it is not', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: 'true' });
    disk.makeReadOnly();
    for (const command of [
      ['enqueue', 'true'],
      ['cancel', 'a'],
      ['worker', 'run'],
      ['worker', 'start'],
    ])
      assert.match(await disk.cli.refused(5, command), READ_ONLY);
    for (const command of [['serve'], ['migrate', '--to', `${disk.cli.folder}/other.db`]])
      assert.match(await disk.cli.refused(1, command), /^error: cannot write '.*': .*\n hint: .*disk/);
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

  test('a read-only queue that nobody uses is refused with exit code 5, too', async (t) => {
    const disk = await newDisk(t, 16);
    await disk.add({ id: 'a', command: 'true' });
    await disk.queue.close();
    disk.makeReadOnly();
    const refusal = await disk.cli.refused(5, ['enqueue', 'true']);
    assert.match(
      refusal,
      /^error: the database '.*queue\.db' cannot be (written|opened) \(.*\)\n hint: .*folder/,
    );
    disk.makeWritable();
    await disk.cli.drain();
    assert.equal((await disk.cli.show('a')).state, 'completed');
  });
});
