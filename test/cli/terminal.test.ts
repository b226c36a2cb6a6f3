// On a terminal: colours, hints, questions, and tables that fit.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { visibleWidth } from '../../src/cli/render/kit/text.ts';
import { hasTerminals, newQueue, type TestQueue } from './support.ts';

const ESCAPE = '\u001b';
const skip = hasTerminals ? false : 'there is no `script` to make a terminal with';

async function livedInQueue(queue: TestQueue): Promise<void> {
  const jobs = [
    { id: 'k3f9', command: `echo ${'a long command '.repeat(10)}; exit 3`, max_retries: 0 },
    { id: 'wide', command: `echo ${'漢字🦊'.repeat(30)}`, queue: 'mail' },
    { id: 'slow', command: 'sleep 1.2' }, // long enough for its memory to be looked at
    { id: 'list', command: ['printf', "it's a 'quoted' argument that goes on and on and on", '🦊'] },
  ];
  await queue.prepare('enqueue', JSON.stringify(jobs));
  await queue.drain();
  await queue.text(
    'enqueue',
    JSON.stringify({ id: 'later', command: 'make thumbnails', delay_seconds: 3600, priority: 12 }),
  );
}

const linesOf = (text: string): string[] => stripVTControlCharacters(text).replaceAll('\r', '').trimEnd().split('\n');

suite('on a terminal', { skip, concurrency: 2 }, () => {
  for (const columns of [60, 80, 120]) {
    test(`tables fit ${columns} columns, and IDs are complete`, async (t) => {
      const queue = newQueue(t);
      await livedInQueue(queue);
      for (const line of ['list', 'status', 'dlq list', 'config list', 'worker list', 'metrics']) {
        const { stdout } = await queue.onTerminal(columns, `queuectl ${line}`);
        for (const row of linesOf(stdout)) {
          assert.ok(visibleWidth(row) <= columns, `${line}: ${visibleWidth(row)} columns: ${row}`);
        }
      }
      const list = linesOf((await queue.onTerminal(columns, 'queuectl list')).stdout);
      for (const id of ['k3f9', 'wide', 'list', 'later'])
        assert.ok(
          list.some((row) => row.startsWith(`${id} `)),
          id,
        );
    });
  }

  test('there are colours, unless NO_COLOR or a dumb terminal forbids them', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'false');
    assert.ok((await queue.onTerminal(80, 'queuectl list')).stdout.includes(`${ESCAPE}[31mdead`));
    assert.ok(!(await queue.onTerminal(80, 'NO_COLOR=1 queuectl list')).stdout.includes(ESCAPE));
    assert.ok(!(await queue.onTerminal(80, 'TERM=dumb queuectl list')).stdout.includes(ESCAPE));
    assert.ok(!(await queue.onTerminal(80, 'queuectl list --json')).stdout.includes(ESCAPE));
    assert.ok(!(await queue.onTerminal(80, 'queuectl list | cat')).stdout.includes(ESCAPE));
  });

  test('a change that reaches very many dependents shows its progress', async (t) => {
    const queue = newQueue(t);
    const jobs = Array.from({ length: 2500 }, (_, i) => ({
      id: `c${i}`,
      command: 'true',
      depends_on: [`p${i % 3}`],
    }));
    for (const id of ['p0', 'p1', 'p2']) await queue.prepare('enqueue', '--id', id, 'true');
    const file = queue.write('jobs.ndjson', jobs.map((job) => JSON.stringify(job)).join('\n'));
    await queue.text('enqueue', '--file', file);
    for (const line of ['cancel p0', "cancel --filter 'id:p1' --yes", 'delete p2'])
      assert.match((await queue.onTerminal(80, `queuectl ${line}`)).stdout, /\d dependents updated/, line);
    assert.equal((await queue.json('status')).cancelled, 2502);
  });

  test('enqueue prints the next step only if no worker runs', async (t) => {
    const queue = newQueue(t);
    assert.match(
      (await queue.onTerminal(80, 'queuectl enqueue true')).stdout,
      /no worker is running; start one: queuectl worker start/,
    );
    const worker = await queue.worker();
    assert.doesNotMatch((await queue.onTerminal(80, 'queuectl enqueue true')).stdout, /worker/);
    await worker.leave();
  });

  test('destructive commands print how much they would delete, and ask', async (t) => {
    const queue = newQueue(t);
    const jobs = Array.from({ length: 3 }, (_, i) => ({ id: `job${i}`, command: 'false', max_retries: 0 }));
    await queue.prepare('enqueue', JSON.stringify(jobs));
    await queue.drain();
    for (const line of ['dlq purge', 'reset', 'prune --state dead']) {
      const no = await queue.onTerminal(80, `queuectl ${line}`, { input: 'n\n' });
      assert.match(no.stdout, /This will delete .*3 jobs.* \[y\/N\]/, line);
      assert.match(no.stdout, /nothing was deleted/, line);
      assert.equal(no.code, 1, line);
    }
    assert.equal(await queue.count(), 3);
    const yes = await queue.onTerminal(80, 'queuectl dlq purge', { input: 'y\n' });
    assert.match(yes.stdout, /3 jobs deleted/);
    assert.equal(await queue.count(), 0);
  });

  test('Ctrl-C and Ctrl-D at a question mean no', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('true');
    const env = { SHELL: '/bin/sh', TERM: 'xterm' };
    for (const [key, octal] of Object.entries({ 'Ctrl-C': '003', 'Ctrl-D': '004' })) {
      // Typed only when the question is there: before it, the terminal itself would take the key.
      const typing = `{ until grep -q 'Continue?' screen; do sleep 0.02; done; printf '\\${octal}'; }`;
      const { stdout } = await queue.sh(`: > screen; ${typing} | script -qefc 'queuectl reset' screen`, {
        env,
      });
      assert.match(stdout, /nothing was deleted/, key);
      assert.doesNotMatch(stdout, /internal error/, key);
    }
    assert.equal(await queue.count(), 1);
  });

  test('an empty queue shows the next step', async (t) => {
    const queue = newQueue(t);
    assert.match((await queue.onTerminal(80, 'queuectl status')).stdout, /queuectl enqueue/);
    assert.match((await queue.onTerminal(80, 'queuectl list')).stdout, /no jobs/);
    assert.match((await queue.onTerminal(80, 'queuectl dlq list')).stdout, /no dead jobs/);
    assert.match((await queue.onTerminal(80, 'queuectl worker list')).stdout, /no worker is running/);
  });
});
