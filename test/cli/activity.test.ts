// queuectl activity: what commands changed, by whom, and nothing else.

import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { suite, test } from 'node:test';
import { allCommands } from '../../src/cli/registry.ts';
import { newQueue, type TestQueue } from './support.ts';

interface Entry {
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  readonly target: string | null;
  readonly detail: Record<string, unknown> | null;
}

const activity = (queue: TestQueue): Promise<Entry[]> => queue.json<Entry[]>('activity', '--limit', '100');

/** They look, put jobs in, run them, or are about no queue; each new command has to take a side. */
const UNRECORDED = [
  ...['enqueue', 'run', 'worker start', 'worker run', 'worker list', 'serve', 'activity', 'doctor', 'demo'],
  ...['schedule list', 'schedule show', 'schedule next', 'status', 'list', 'show', 'graph', 'why', 'logs'],
  ...['progress', 'result get', 'result set', 'wait', 'metrics', 'queue list', 'queue show', 'dlq list'],
  ...['dlq show', 'group list', 'group show', 'config list', 'config get', 'init', 'migrate', 'export'],
  ...['completions', 'mcp', 'user list', 'token list', 'service install', 'service uninstall', 'service status'],
  ...['service logs', 'sandbox list', 'recipe list', 'recipe show', 'secret list', 'policy show', 'policy check'],
];

suite('activity', { concurrency: 2 }, () => {
  test('every command that changes a queue is recorded, and no other command is', async () => {
    for (const { name, recorded } of await allCommands())
      assert.equal(recorded !== undefined, !UNRECORDED.includes(name), name);
  });

  test('actions are listed with their user, newest first', async (t) => {
    const queue = newQueue(t);
    await queue.text('enqueue', JSON.stringify([1, 2, 3].map((n) => ({ id: `j${n}`, command: 'true' }))));
    await queue.text('cancel', 'j1');
    await queue.text('hold', 'j2', '--reason', 'not today');
    await queue.text('config', 'set', 'max_retries', '5');
    await queue.text('queue', 'pause', 'mail');
    await queue.text('cancel', '--filter', 'id:j3', '--yes');
    const entries = await activity(queue);
    assert.deepEqual(
      entries.map(({ action, target, detail }) => [action, target, detail]),
      [
        ['cancel', null, { filter: 'id:j3', cancelled: 1 }],
        ['queue pause', 'mail', null],
        ['config set', 'max_retries', { value: '5' }],
        ['hold', 'j2', { reason: 'not today' }],
        ['cancel', 'j1', null],
      ],
    );
    assert.ok(entries.every(({ actor, via }) => actor.startsWith(`${userInfo().username}@`) && via === 'cli'));
    const shown = await queue.text('activity', '-n', '2');
    assert.match(shown, /cli +queue pause +mail/);
    assert.doesNotMatch(shown, /config set/);
  });

  test('commands that only read, were rejected, or changed nothing are not recorded', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    await queue.text('list');
    await queue.rejected(3, ['cancel', 'none']);
    await queue.rejected(2, ['reset']);
    await queue.text('cancel', '--filter', 'state:dead');
    await queue.text('cancel', '--filter', 'id:a', '--dry-run');
    await queue.text('prune', '--older-than', '1d', '--yes');
    assert.deepEqual(await activity(queue), []);
  });

  test('no password, token or secret setting is recorded', async (t) => {
    const queue = newQueue(t);
    await queue.run(['user', 'add', 'ann'], { input: 'correct horse\n' });
    const secret = (await queue.text('token', 'add', 'ci')).trim();
    await queue.text('config', 'set', 'webhook_secret', 'hunter2hunter2');
    await queue.text('reset', '--yes');
    const entries = await activity(queue);
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [
        ['config set', 'webhook_secret'],
        ['token add', 'ci'],
        ['user add', 'ann'],
      ],
    );
    for (const word of ['correct horse', secret, 'hunter2']) assert.ok(!JSON.stringify(entries).includes(word));
  });

  test('a job that changes other jobs is recorded as their user', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'victim', '--queue', 'other', 'true');
    await queue.enqueue('--id', 'culprit', 'queuectl cancel victim');
    await queue.sh('queuectl worker run --drain --queue default');
    const [entry] = await activity(queue);
    assert.deepEqual([entry?.action, entry?.target, entry?.detail], ['cancel', 'victim', { from_job: 'culprit' }]);
  });
});
