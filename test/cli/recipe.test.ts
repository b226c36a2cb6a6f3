// queuectl recipe: commands with parameters that others fill in, and that stay what they were.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { newQueue } from './support.ts';

const EVIL = '; rm -rf x $(touch y) `id` "\' \n🎉';

suite('recipes', { concurrency: 2 }, () => {
  test('a recipe is added, listed, shown, replaced and removed', async (t) => {
    const queue = newQueue(t);
    const add = ['recipe', 'add', 'resize', '--', 'echo', '{in:path}', '-resize', '{size:int(1..9)=5}'];
    assert.equal(await queue.text(...add), 'recipe resize added\n');
    assert.match(await queue.rejected(4, add), /already exists.*--replace/s);
    const [listed] = await queue.json<Record<string, unknown>[]>('recipe', 'list');
    assert.deepEqual(listed?.command, add.slice(4));
    assert.match(
      await queue.text('recipe', 'show', 'resize'),
      /in: a path\n {2}size: a whole number, 1\.\.9 \(default: 5\)/,
    );
    await queue.text('recipe', 'add', 'resize', '--replace', '--', 'true');
    assert.equal(await queue.text('recipe', 'remove', 'resize'), 'recipe resize deleted\n');
    assert.match(await queue.rejected(3, ['recipe', 'show', 'resize']), /recipe .* not found/);
    const actions = (await queue.json<Record<string, unknown>[]>('activity')).map(({ action }) => action);
    assert.deepEqual(actions, ['recipe delete', 'recipe add', 'recipe add']);
  });

  test("in recipes-only mode, variables of users' shells do not reach the program", async (t) => {
    const queue = newQueue(t);
    await queue.text('recipe', 'add', 'see', '--', 'printenv', '{name}');
    await queue.prepare('config', 'set', 'policy_recipes_only', 'everybody');
    await queue.prepare('config', 'set', 'policy_variables', 'LANG_*');
    const env = { TAR_OPTIONS: '--evil', LANG_X: 'de' };
    for (const name of Object.keys(env))
      await queue.run(['enqueue', '--id', name, '--max-retries', '0', '--recipe', 'see', '--param', `name=${name}`], {
        env,
      });
    await queue.drain();
    assert.equal((await queue.show('LANG_X')).state, 'completed');
    assert.equal((await queue.show('TAR_OPTIONS')).state, 'dead');
  });

  test('a recipe makes a job on every path, and values are never interpreted', async (t) => {
    const queue = newQueue(t);
    await queue.text('recipe', 'add', 'say', '--', 'printf', '%s|', '{what}', '{n:int=1}');
    const flags = ['--recipe', 'say', '--param', `what=${EVIL}`];
    await queue.enqueue('--id', 'flags', ...flags);
    await queue.enqueue(JSON.stringify({ id: 'json', recipe: 'say', params: { what: 'j', n: 7 } }));
    await queue.text(
      'enqueue',
      '--file',
      queue.write('f.yaml', 'jobs:\n  yaml: {id: yaml, recipe: say, params: {what: y}}\n'),
    );
    await queue.text(
      'enqueue',
      '--each',
      queue.write('lines', 'one\n'),
      '--recipe',
      'say',
      '--param',
      'what={}',
      '--tag',
      'each',
    );
    await queue.text('schedule', 'add', 's', '--every', '1h', '--recipe', 'say', '--param', 'what=tick');
    await queue.text('schedule', 'run', 's');
    await queue.drain();
    const outputOf = (id: string) => queue.text('logs', '--raw', id);
    assert.equal(await outputOf('flags'), `${EVIL}|1|`);
    assert.equal(await outputOf('json'), 'j|7|');
    assert.equal(await outputOf('yaml'), 'y|1|');
    const said = (await queue.jobs()).map(({ command }) => (command as string[])[2]);
    assert.deepEqual(said.sort(), [EVIL, 'j', 'one', 'tick', 'y'].sort());
    assert.equal((await queue.run(['run', ...flags])).stdout, `${EVIL}|1|`);
    const { recipe, params } = await queue.show('json');
    assert.deepEqual([recipe, params], ['say', { what: 'j', n: '7' }]);
    assert.deepEqual(fs.readdirSync(queue.folder).sort(), ['f.yaml', 'home', 'lines']);
  });

  test('an invalid parameter is reported, and nothing is enqueued', async (t) => {
    const queue = newQueue(t);
    await queue.text('recipe', 'add', 'r', '--', 'cat', '{f:path(.)}');
    const rejected = (code: number, ...args: string[]) => queue.rejected(code, ['enqueue', ...args]);
    assert.match(await rejected(2, '--recipe', 'r', '--param', 'f=-n'), /looks like an option/);
    assert.match(await rejected(2, '--recipe', 'r', '--param', 'f=/etc/passwd'), /must be below/);
    assert.match(await rejected(2, '--recipe', 'r'), /missing parameter 'f'/);
    assert.match(await rejected(2, '--recipe', 'r', '--param', 'f'), /has no value/);
    assert.match(await rejected(2, '--recipe', 'r', '--', 'true'), /a command cannot be combined with a recipe/);
    assert.match(await rejected(2, '--param', 'f=1', '--', 'true'), /'params' requires a recipe/);
    assert.match(await rejected(3, '--recipe', 'rr'), /did you mean 'r'/);
    fs.symlinkSync('/etc', path.join(queue.folder, 'etc'));
    assert.match(await rejected(2, '--recipe', 'r', '--param', 'f=etc/passwd'), /points outside/);
    fs.symlinkSync('/nowhere/yet', path.join(queue.folder, 'dangling'));
    assert.match(await rejected(2, '--recipe', 'r', '--param', 'f=dangling'), /points outside/);
    assert.equal(await queue.count(), 0);
  });

  test('a job whose recipe was changed or removed, or whose path was replaced by a link, is not started', async (t) => {
    const queue = newQueue(t);
    const trace = path.join(queue.folder, 'trace');
    await queue.text('recipe', 'add', 'changed', '--', 'touch', trace);
    await queue.text('recipe', 'add', 'removed', '--', 'touch', trace);
    await queue.text('recipe', 'add', 'linked', '--', 'touch', '{f:path(.)}');
    for (const name of ['changed', 'removed']) await queue.enqueue('--id', name, '--recipe', name);
    await queue.enqueue('--id', 'linked', '--recipe', 'linked', '--param', 'f=sub/x');
    await queue.enqueue('--id', 'good', '--', 'true');
    await queue.text('recipe', 'add', 'changed', '--replace', '--', 'touch', trace, 'more');
    await queue.text('recipe', 'remove', 'removed');
    fs.symlinkSync('/tmp', path.join(queue.folder, 'sub'));
    assert.match(await queue.rejected(2, ['edit', 'changed', '--command', 'true']), /was created from the recipe/);
    await queue.drain();
    const errors = Object.fromEntries((await queue.jobs()).map(({ id, last_error }) => [id, last_error]));
    assert.match(String(errors.changed), /^rejected: its command does not match its recipe 'changed'/);
    assert.match(String(errors.removed), /^rejected: its recipe 'removed' was deleted/);
    assert.match(String(errors.linked), /^rejected: the parameter 'f' points outside/);
    assert.equal(errors.good, null);
    assert.ok(!fs.existsSync(trace));
  });

  test('recipes are part of an export', async (t) => {
    const [queue, other] = [newQueue(t), newQueue(t)];
    await queue.text('recipe', 'add', 'r', '--', 'true');
    await queue.enqueue('--id', 'a', '--recipe', 'r');
    const file = path.join(queue.folder, 'export');
    await queue.text('export', '--all', file);
    await other.text('import', file);
    await other.drain();
    assert.equal((await other.show('a')).state, 'completed');
  });
});

test('a path(.) is below the directory where the recipe was added, wherever the job runs', async (t) => {
  const queue = newQueue(t);
  await queue.text('recipe', 'add', 'r', '--', 'cat', '{f:path(.)}', '{{f:path(.)}');
  const bound = fs.realpathSync(queue.folder);
  assert.deepEqual((await queue.look('recipe', 'show', 'r')).command, ['cat', `{f:path(${bound})}`, '{{f:path(.)}']);
  const other = ['enqueue', '--recipe', 'r', '--cwd', '/etc', '--param'];
  assert.match(await queue.rejected(2, [...other, 'f=passwd']), /must be below/);
  assert.match(await queue.rejected(2, [...other, 'f=/etc/passwd']), /must be below/);
  assert.equal((await queue.run([...other, `f=${bound}/a`])).code, 0);
});
