// queuectl edit: by flags, in an editor, from a file; and what it rejects.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { suite, test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

/** An editor that does this to the document, `$1`. */
const editor = (script: string): { env: Record<string, string> } => ({
  env: { VISUAL: `sh -c '${script}' sh` },
});

async function edited(queue: TestQueue, id = 'a'): Promise<Document> {
  return queue.show(id);
}

suite('edit with options', { concurrency: 2 }, () => {
  test('changes the given fields and nothing else', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--timeout', '5s', '--name', 'n', 'false');
    const before = await edited(queue);
    const flags = ['--command', 'echo new', '-p', '7', '--max-retries', '1', '--queue', 'mail', '--tag', 'x'];
    assert.equal(await queue.text('edit', 'a', ...flags, '--unset', 'timeout,name'), 'a  edited, pending\n');
    const after = await edited(queue);
    const expected = { command: 'echo new', priority: 7, max_retries: 1, queue: 'mail', tags: ['x'] };
    assert.deepEqual(
      { ...after, updated_at: null },
      { ...before, ...expected, timeout_seconds: null, name: null, updated_at: null },
    );
    await queue.drain();
    assert.equal((await queue.run(['logs', 'a', '--raw'])).stdout, 'new\n');
  });

  test('changes when the job runs', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    await queue.text('edit', 'a', '--delay', '1h');
    assert.ok(Date.parse(String((await edited(queue)).next_run_at)) > Date.now() + 3_500_000);
    await queue.text('edit', 'a', '--unset', 'run-at');
    await queue.drain();
    assert.equal((await edited(queue)).state, 'completed');
  });

  test('changes one exit code or hook and keeps the others', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--no-retry-codes', '2', '--on-success', 'echo fine', 'true');
    await queue.text('edit', 'a', '--success-codes', '0,3', '--snooze-code', '75', '--on-dead', 'echo dead');
    const { success_codes, no_retry_codes, snooze_code, hooks } = await edited(queue);
    assert.deepEqual([success_codes, no_retry_codes, snooze_code], [[0, 3], [2], 75]);
    assert.deepEqual(hooks, { on_success: 'echo fine', on_dead: 'echo dead' });
    await queue.text('edit', 'a', '--unset', 'no-retry-codes,on-success');
    const again = await edited(queue);
    assert.deepEqual([again.no_retry_codes, again.hooks], [[], { on_dead: 'echo dead' }]);
  });

  test('validates like enqueue, and an invalid value changes nothing', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const before = await edited(queue);
    const rejected: readonly (readonly [string[], RegExp])[] = [
      [['--priority', '9999999999'], /'priority' must be from/],
      [['--run-at', 'someday'], /'run_at' 'someday' is not a time/],
      [['--queue', 'a b'], /'queue' 'a b' has characters/],
      [['--command', ''], /a job needs a command/],
      [['--cwd', 'nowhere'], /directory '.*nowhere' does not exist/],
      [['--tag', 'a b'], /'tag' 'a b' has characters that a tag/],
      [['--unset', 'command'], /'command' requires a value/],
      [['--unset', 'id'], /'id' of a job cannot be edited.*editable fields: name, command, /s],
      [['--unset', 'timout'], /unknown field 'timout'.*did you mean 'timeout'/s],
      [['--id', 'b'], /unknown option '--id'/],
      [['--group', 'g'], /'group' of a job cannot be edited: the group is fixed.*hint: cancel the job, then enqueue/s],
      [['--after', 'b'], /'after' of a job cannot be edited: dependencies are fixed/],
      [['--unique', 'k'], /'unique' of a job cannot be edited: the unique key is fixed/],
      [['--success-codes', 'x'], /'success_codes' must be a list of exit codes/],
      [['--on-dead', 'ftp://x'], /'on_dead': unsupported webhook scheme 'ftp:\/\/'/],
    ];
    for (const [flags, problem] of rejected)
      assert.match(await queue.rejected(2, ['edit', 'a', ...flags]), problem, flags.join(' '));
    assert.deepEqual(await edited(queue), before);
  });

  test('changes limits, sandbox, user and secrets one by one', async (t) => {
    const queue = newQueue(t);
    await queue.run(['secret', 'set', 'TOK'], { input: 'a-secret-value\n' });
    await queue.enqueue('--id', 'a', '--memory', '64M', '--nice', '3', 'true');
    await queue.text('edit', 'a', '--memory', '128M', '--cpu-time', '1m', '--limits', 'best-effort');
    const limits = { memory_bytes: 134_217_728, cpu_seconds: 60, nice: 3, mode: 'best-effort' };
    assert.deepEqual((await edited(queue)).limits, limits);
    await queue.text('edit', 'a', '--sandbox', 'strict', '--user', 'ann', '--secret', 'TOK:file');
    const { sandbox, user, secrets } = await edited(queue);
    assert.deepEqual([sandbox, user, secrets], ['strict', 'ann', ['TOK:file']]);
    await queue.text('edit', 'a', '--unset', 'nice,cpu-time,user,secrets', '--limits', 'strict');
    const less = await edited(queue);
    assert.deepEqual(
      [less.limits, less.sandbox, less.user, less.secrets],
      [{ memory_bytes: 134_217_728 }, 'strict', null, []],
    );
    await queue.text('edit', 'a', '--unset', 'limits,sandbox');
    assert.equal((await edited(queue)).limits, null);
    await queue.prepare('config', 'set', 'policy_recipes_only', 'everybody');
    assert.match(
      await queue.rejected(2, ['edit', 'a', '--secret', 'TOK']),
      /rejected by the policy: the command must come from a recipe/,
    );
  });

  test('validates isolation like enqueue', async (t) => {
    const queue = newQueue(t);
    await queue.prepare('queue', 'set', 'safe', '--sandbox', 'strict');
    await queue.enqueue('--id', 'a', '--sandbox', 'network', 'true');
    const before = await edited(queue);
    const rejected: readonly (readonly [number, string[], RegExp])[] = [
      [2, ['--sandbox', 'strct'], /sandbox profile 'strct' not found.*did you mean 'strict'/s],
      [2, ['--memory', 'much'], /'memory' 'much' is not a size/],
      [3, ['--secret', 'NONE'], /secret 'NONE' not found/],
      [2, ['--queue', 'safe'], /queue 'safe' requires the sandbox 'strict'/],
      [2, ['--recipe', 'r'], /'recipe' of a job cannot be edited: a job keeps the recipe/],
    ];
    for (const [code, flags, problem] of rejected)
      assert.match(await queue.rejected(code, ['edit', 'a', ...flags]), problem, flags.join(' '));
    assert.deepEqual(await edited(queue), before);
  });

  test('rejects a running or finished job with exit code 4 and a hint', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'done', 'true');
    const rejection = await queue.rejected(4, ['edit', 'done', '--priority', '1']);
    assert.match(
      rejection,
      /'done' is completed; edit requires a job that is blocked, pending or failed\n hint: show the job: queuectl show/,
    );
    assert.match(await queue.rejected(4, ['edit', 'done'], editor('exit 0')), /'done' is completed; edit requires/);
    await queue.enqueue('--id', 'runs', 'sleep 30');
    const worker = await queue.worker();
    await queue.untilState('runs', 'processing');
    assert.match(
      await queue.rejected(4, ['edit', 'runs', '-p', '1']),
      /the job is running; cancel it with: queuectl cancel runs/,
    );
    await queue.run(['cancel', 'runs']);
    await worker.leave();
  });
});

suite('edit in an editor', { concurrency: 2 }, () => {
  test('applies the changes made in the document', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--tag', 'x', 'echo old');
    const script = 'cp "$1" seen; sed -i "s/echo old/echo new/; s/^priority: 0/priority: 5/" "$1"';
    const { code, stdout, stderr } = await queue.run(['edit', 'a'], editor(script));
    assert.deepEqual([code, stdout, stderr], [0, 'a  edited, pending\n', '']);
    const { command, priority, tags } = await edited(queue);
    assert.deepEqual([command, priority, tags], ['echo new', 5, ['x']]);
    assert.match(
      fs.readFileSync(`${queue.folder}/seen`, 'utf8'),
      /^# Job a, pending\..*\nname: null\ncommand: echo old\nqueue: default\n/,
    );
  });

  test('shows isolation, and replaces limits as a whole', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--memory', '64M', '--nice', '3', '--sandbox', 'strict', 'true');
    const script = 'sed -i "s/  nice: 3/  processes: 9/; s/^sandbox: strict/sandbox: readonly/" "$1"';
    await queue.run(['edit', 'a'], editor(script));
    const { limits, sandbox } = await edited(queue);
    assert.deepEqual([limits, sandbox], [{ memory_bytes: 67_108_864, processes: 9 }, 'readonly']);
  });

  test('shows exit codes and hooks, and replaces hooks as a whole', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', '--no-retry-codes', '2', '--on-success', 'echo fine', 'true');
    const script = 'cp "$1" seen; sed -i "s/on_success: echo fine/on_dead: echo dead/; s/  - 2/  - 4/" "$1"';
    await queue.run(['edit', 'a'], editor(script));
    const { no_retry_codes, hooks } = await edited(queue);
    assert.deepEqual([no_retry_codes, hooks], [[4], { on_dead: 'echo dead' }]);
  });

  test('keeps a command of several lines readable, and an argument list a list', async (t) => {
    const queue = newQueue(t);
    await queue.run([
      'enqueue',
      '{"id":"a","command":"echo one\\necho two\\n"}',
      '{"id":"b","command":["echo","a b"]}',
    ]);
    for (const id of ['a', 'b']) {
      const before = await edited(queue, id);
      await queue.run(['edit', id], editor('sed -i "s/^priority: 0/priority: 1/" "$1"'));
      const { command, priority } = await edited(queue, id);
      assert.deepEqual([command, priority], [before.command, 1]);
    }
  });

  test('changes nothing if the document is unchanged', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const before = await edited(queue);
    const { code, stdout } = await queue.run(['edit', 'a'], editor('exit 0'));
    assert.deepEqual([code, stdout], [0, 'nothing was changed\n']);
    assert.deepEqual(await edited(queue), before);
  });

  test('keeps a rejected document and prints how to retry', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const env = { ...editor('sed -i "s/^priority: 0/priority: high/" "$1"').env, TMPDIR: queue.folder };
    const rejection = await queue.rejected(2, ['edit', 'a'], { env });
    assert.match(rejection, /'priority' must be a whole number, not 'high'; nothing was changed/);
    const [, file = ''] = /queuectl edit a --file '?([^'\n]+)/.exec(rejection) ?? [];
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('high', '3'));
    assert.equal(await queue.text('edit', 'a', '--file', file), 'a  edited, pending\n');
    assert.equal((await edited(queue)).priority, 3);
  });

  test('names the problem with the editor or the document', async (t) => {
    const queue = newQueue(t);
    await queue.enqueue('--id', 'a', 'true');
    const none = { env: { VISUAL: undefined, EDITOR: undefined } };
    assert.match(await queue.rejected(2, ['edit', 'a'], none), /VISUAL and EDITOR are unset/);
    const here = (script: string) => ({ env: { ...editor(script).env, TMPDIR: queue.folder } });
    assert.match(
      await queue.rejected(1, ['edit', 'a'], here('exit 3')),
      /the editor exited with 3; nothing was changed/,
    );
    assert.match(await queue.rejected(2, ['edit', 'a'], here('echo "a: b: c" > "$1"')), /cannot read job fields/);
    assert.match(await queue.rejected(2, ['edit', 'a'], here('echo "colour: red" > "$1"')), /unknown field 'colour'/);
    assert.match(await queue.rejected(2, ['edit'], editor('exit 0')), /missing job ID/);
  });
});

test('edit takes fields from stdin', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'a', 'true');
  const { code } = await queue.run(['edit', 'a', '--file', '-'], {
    input: '{"priority":4,"timeout_seconds":9}',
  });
  const { priority, timeout_seconds } = await edited(queue);
  assert.deepEqual([code, priority, timeout_seconds], [0, 4, 9]);
});
