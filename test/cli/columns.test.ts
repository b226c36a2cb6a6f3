// list --columns: any fields, in the order asked for, in a table and as data; and list --watch, live.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { until } from '../support/until.ts';
import { type Document, hasTerminals, newQueue } from './support.ts';

suite('list --columns', { concurrency: 2 }, () => {
  test('shows the given fields in the given order', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--queue', 'mail', '-e', 'K=secret', '--delay', '1h', 'echo  hello');
    const text = await queue.text('list', '--columns', 'queue,id,next_run_at,created-at,env,run_at,signal');
    assert.match(text, /^queue +id +next run +created at +env +run at +signal\n/);
    assert.match(text, /\nmail +a +in (1 h|59 min) +(now|\d+ s ago) +\{"K":"\*\*\*"\} +in (1 h|59 min)\n$/);
  });

  test('offers every JSON field', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'a', 'exit 3');
    const [job = {}] = await queue.json<Document[]>('list');
    const names = Object.keys(job);
    const [picked] = await queue.json<Document[]>('list', '--columns', names.join(','));
    assert.deepEqual(picked, job);
    const lines = (await queue.text('list', '--columns', names.join(','))).split('\n');
    assert.match(lines[0] ?? '', /^id +.*command +queue +.*state/);
    assert.match(lines[1] ?? '', /^a +exit 3 +default +.*dead/);
  });

  test('limits the JSON to the given fields', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    assert.deepEqual(await queue.json('list', '--columns', 'state,id'), [{ state: 'pending', id: 'a' }]);
    assert.deepEqual(await queue.json('dlq', 'list', '--columns', 'id'), []);
  });

  test('names an unknown field with the nearest valid name', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['list', '--columns', 'id,stat']), /unknown column 'stat'\n.*'state'/);
    assert.match(await queue.rejected(2, ['list', '--columns', 'id,xyzzy']), /use id, .*command, /);
    assert.match(await queue.rejected(2, ['list', '--columns', 'id,']), /empty column name/);
  });
});

suite('list --watch', { concurrency: 2 }, () => {
  test('runs until it is interrupted and prints each change', async (t) => {
    const queue = newQueue(t);
    const watching = queue.start(['list', 'id:b', '--watch', '--json', '--columns', 'id']);
    await until('the first look', () => watching.stdout() === '[]\n');
    await queue.enqueue('--id', 'a', 'true');
    await queue.enqueue('--id', 'b', 'true');
    await until('the change', () => watching.stdout() === '[]\n[{"id":"b"}]\n');
    watching.kill('SIGINT');
    assert.equal((await watching.ended).code, 0);
  });

  test('redraws on a terminal', { skip: hasTerminals ? false : 'there is no `script` here' }, async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const { code, stdout } = await queue.onTerminal(
      80,
      'timeout --foreground --preserve-status -s INT 2 queuectl list --watch',
    );
    const text = stripVTControlCharacters(stdout);
    assert.equal(code, 0, text);
    assert.match(
      text,
      /press Ctrl-C to stop watching; the workers continue\r\n\r\nid +state +command.*\r\na +pending +true/,
    );
  });

  test('cannot show all jobs', async (t) => {
    const queue = newQueue(t);
    assert.match(
      await queue.rejected(2, ['list', '--watch', '--limit', '0']),
      /--watch requires a limit.*--limit 100/s,
    );
  });
});
