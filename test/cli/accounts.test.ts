// queuectl user and token: who may use the server, said on the command line and true at once.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { QueueAccounts } from '../../src/access/accounts.ts';
import { Queue } from '../../src/queue/queue.ts';
import { hasTerminals, newQueue, type TestQueue } from './support.ts';

const PASSWORD = 'correct horse';

suite('users and tokens', { concurrency: 2 }, () => {
  test('a user is added with the password on stdin, listed, and removed', async (t) => {
    const queue = newQueue(t);
    const added = await queue.run(['user', 'add', 'ann', '--role', 'operator'], {
      input: `${PASSWORD}\nmore\n`,
    });
    assert.deepEqual([added.code, added.stderr], [0, '']);
    assert.equal(added.stdout, 'user ann added with the role operator\n');
    const [user] = await queue.json<Record<string, string>[]>('user', 'list');
    assert.deepEqual([user?.name, user?.role], ['ann', 'operator']);
    assert.match(user?.created_by ?? '', /^.+@.+$/);
    assert.doesNotMatch(JSON.stringify(user), /scrypt|hash/);
    const opened = await Queue.open({ db: queue.db });
    t.after(() => opened.close());
    const accounts = new QueueAccounts(opened.store);
    assert.equal((await accounts.userBy('ann', PASSWORD))?.role, 'operator');
    assert.equal(await accounts.userBy('ann', `${PASSWORD}\n`), null);
    assert.equal(await queue.text('user', 'remove', 'ann'), 'user ann deleted\n');
    assert.equal(await accounts.userBy('ann', PASSWORD), null);
    assert.equal(await queue.text('user', 'list'), '');
  });

  test('a token is printed once and stops working when it is removed by name or ID', async (t) => {
    const queue = newQueue(t);
    const secret = (await queue.text('token', 'add', 'ci', '--role', 'enqueuer', '--expires', '30d')).trim();
    assert.match(secret, /^qctl_[\w-]{43}$/);
    const other = await queue.json<Record<string, string>>('token', 'add', 'other');
    assert.deepEqual([other.role, other.expires_at], ['viewer', null]);
    const listed = await queue.text('token', 'list');
    assert.match(listed, /ci +enqueuer +in (30 d|29 d 23 h) +never/);
    assert.doesNotMatch(listed, /qctl_/);
    assert.equal(await queue.text('token', 'remove', 'ci'), 'token ci deleted\n');
    assert.equal(await queue.text('token', 'remove', other.id ?? ''), 'token other deleted\n');
    assert.deepEqual(await queue.json('token', 'list'), []);
  });

  test('bad input is rejected with one sentence and changes nothing', async (t) => {
    const queue = newQueue(t);
    const input = `${PASSWORD}\n`;
    await queue.run(['user', 'add', 'ann'], { input });
    await queue.text('token', 'add', 'ci');
    const cases: [number, string[], RegExp, string?][] = [
      [4, ['user', 'add', 'ann'], /user 'ann' already exists/],
      [2, ['user', 'add', 'bob', '--role', 'operater'], /unknown role 'operater'.*did you mean 'operator'/s],
      [2, ['user', 'add', 'a b'], /invalid name 'a b'/],
      [2, ['user', 'add', 'Owner'], /the name 'Owner' is reserved/],
      [2, ['user', 'add', 'bob'], /the password is too short/, 'short\n'],
      [2, ['user', 'add', 'bob'], /the password is too short/, ''],
      [2, ['user', 'add', 'bob'], /the password is too long/, 'x'.repeat(5000)],
      [2, ['user', 'add'], /missing NAME/],
      [3, ['user', 'remove', 'nobody'], /user 'nobody' not found/],
      [4, ['token', 'add', 'ci'], /token 'ci' already exists/],
      [2, ['token', 'add', 'x', '--expires', 'soon'], /invalid token lifetime 'soon'/],
      [2, ['token', 'add', 'x', '--expires', '0s'], /invalid token lifetime '0s'/],
      [3, ['token', 'remove', 'nothing'], /token 'nothing' not found/],
    ];
    for (const [code, args, sentence, given = input] of cases)
      assert.match(await queue.rejected(code, args, { input: given }), sentence);
    assert.equal((await queue.json<unknown[]>('user', 'list')).length, 1);
    assert.equal((await queue.json<unknown[]>('token', 'list')).length, 1);
  });

  const skip = hasTerminals ? false : 'there is no `script` to make a terminal with';
  test('on a terminal the password is asked for twice and never shown', { skip }, async (t) => {
    const queue = newQueue(t);
    const differing = await typed(queue, PASSWORD, 'correct mouse');
    assert.match(differing, /the passwords do not match/);
    const seen = await typed(queue, `wrong${'\\177'.repeat(5)}${PASSWORD}`, PASSWORD);
    assert.match(seen, /Password for ann: .*Repeat the password:.*user ann added with the role viewer/s);
    assert.doesNotMatch(seen, /horse|mouse|wrong/);
    const opened = await Queue.open({ db: queue.db });
    t.after(() => opened.close());
    assert.equal((await new QueueAccounts(opened.store).userBy('ann', PASSWORD))?.role, 'viewer');
  });
});

/** What a terminal has shown when each password was typed as soon as it was asked for. */
async function typed(queue: TestQueue, first: string, second: string): Promise<string> {
  const answer = (question: string, password: string) =>
    `until grep -q '${question}' seen; do sleep 0.02; done; printf '${password}\\r'`;
  const typist = `${answer('Password for ann', first)}; ${answer('Repeat', second)}`;
  await queue.sh(`: >seen; { ${typist}; } | script -qefc 'queuectl user add ann' seen`);
  return fs.readFileSync(path.join(queue.folder, 'seen'), 'utf8');
}
