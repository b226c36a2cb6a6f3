// What people type first, coming from other tools: it works where it can mean only one thing, and else the right
// command is named.

import assert from 'node:assert/strict';
import path from 'node:path';
import { suite, test } from 'node:test';
import { until } from '../support/until.ts';
import { newQueue } from './support.ts';

suite('synonyms', { concurrency: 2 }, () => {
  test('synonyms of a reading command print what the command prints', async (t) => {
    const queue = newQueue(t);
    await queue.text('submit', '--id', 'a', 'true');
    await queue.finished('--id', 'b', 'echo hello');
    for (const [typed, command] of [
      ['ls', 'list'],
      ['ps', 'list'],
      ['jobs', 'list'],
      ['jobs list', 'list'],
      ['job show b', 'show b'],
      ['jobs get b', 'show b'],
      ['get b', 'show b'],
      ['info b', 'show b'],
      ['describe b', 'show b'],
      ['inspect b', 'show b'],
      ['log b', 'logs b'],
      ['logs b --lines 1', 'logs b --tail 1'],
      ['queues', 'queue list'],
      ['queue ls', 'queue list'],
      ['workers', 'worker list'],
      ['settings', 'config list'],
      ['list -q default', 'list --queue default'],
      ['tail b', 'logs b'],
      ['stats', 'metrics'],
      ['worker status', 'worker list'],
      ['worker ls', 'worker list'],
      ['config show', 'config get'],
      ['config show max_retries', 'config get max_retries'],
      ['config ls', 'config list'],
      ['dlq ls', 'dlq list'],
      ['version', '--version'],
      ['-v', '--version'],
      ['-V', '--version'],
    ] as const) {
      const [ours, theirs] = [await queue.run(command.split(' ')), await queue.run(typed.split(' '))];
      assert.equal(theirs.code, 0, `${typed}\n${theirs.stderr}`);
      assert.equal(withoutAges(theirs.stdout), withoutAges(ours.stdout), typed);
    }
  });

  test('synonyms of a changing command change what the command changes', async (t) => {
    const queue = newQueue(t);
    await queue.finished('--id', 'dead1', 'exit 1');
    await queue.finished('--id', 'dead2', 'exit 1');
    assert.equal(await queue.text('requeue', 'dead1'), 'dead1  pending\n');
    assert.equal(await queue.text('kill', 'dead1'), 'dead1  cancelled\n');
    assert.equal(await queue.text('rm', 'dead1'), 'dead1  deleted\n');
    assert.equal(await queue.text('dlq', 'retry-all'), '1 job requeued\n');
    await queue.drain();
    assert.equal(await queue.text('dlq', 'delete', 'dead2'), 'dead2  deleted\n');
    await queue.finished('--id', 'dead3', 'exit 1');
    assert.equal(await queue.text('dlq', 'clear', '--yes'), '1 job deleted\n');
    await queue.text('config', 'set', 'retries', '7');
    assert.equal(await queue.text('config', 'reset', 'max_retries'), 'max_retries = 3 (default)\n');
    await queue.text('config', 'set', 'max_retries', '7');
    assert.equal(await queue.text('config', 'delete', 'max_retries'), 'max_retries = 3 (default)\n');
  });

  test('watch is status --watch', async (t) => {
    const queue = newQueue(t);
    const watching = queue.start(['watch', '--json']);
    await until('the first line', () => watching.stdout().includes('\n'));
    watching.kill('SIGINT');
    assert.equal(JSON.parse((await watching.ended).stdout).pending, 0);
  });

  test('help accepts synonyms too', async (t) => {
    const queue = newQueue(t);
    assert.equal(await queue.text('help', 'ls'), await queue.text('help', 'list'));
    assert.equal(await queue.text('worker', 'status', '--help'), await queue.text('worker', 'list', '--help'));
  });

  test('an ambiguous name is answered with the possible commands', async (t) => {
    const queue = newQueue(t);
    for (const [typed, ...named] of [
      ['start', 'queuectl worker start', 'queuectl run'],
      ['stop', 'queuectl worker stop', 'queuectl cancel ID'],
      ['clear', 'queuectl prune', 'queuectl dlq purge', 'queuectl reset'],
      ['worker pause', 'queuectl pause', 'queuectl resume', 'queuectl worker stop'],
      ['worker resume', 'queuectl resume', 'queuectl worker start'],
      ['purge', 'queuectl prune', 'queuectl dlq purge', 'queuectl reset'],
      ['drain', 'queuectl worker start --exit-when-empty', 'queuectl queue drain'],
      ['daemon', 'queuectl worker start', 'queuectl service install'],
      ['dead', 'queuectl list --state dead'],
      ['pending', 'queuectl list --state pending'],
      ['worker logs', 'queuectl logs ID', 'queuectl init'],
      ['worker kill', 'queuectl worker stop --force'],
      ['worker restart', 'queuectl worker stop', 'queuectl worker start'],
    ] as const) {
      const rejection = await queue.rejected(2, typed.split(' '));
      assert.ok(rejection.startsWith(`error: unknown command '${typed}'\n`), rejection);
      for (const name of named) assert.ok(rejection.includes(name), `${typed}: ${rejection}`);
    }
    assert.deepEqual(queue.files(), [], 'nothing was made');
  });

  test('a whole command in place of a name is answered with the commands that run it', async (t) => {
    const queue = newQueue(t);
    const rejection = await queue.rejected(2, ["echo 'hi'"]);
    const quoted = `'echo '\\''hi'\\'''`;
    assert.ok(rejection.includes(`queuectl run ${quoted}`), rejection);
    assert.ok(rejection.includes(`queuectl enqueue ${quoted}`), rejection);
  });

  test('a state by itself is answered with the option that accepts it', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['list', 'dead']), /hint: queuectl list --state dead\n/);
    assert.match(await queue.rejected(2, ['ls', 'Failed']), /hint: queuectl list --state failed\n/);
  });

  test('only a near verb is suggested', async (t) => {
    const queue = newQueue(t);
    const far = await queue.rejected(2, ['worker', 'frobnicate']);
    assert.match(far, /hint: use one of: worker start, worker run, worker stop, worker list\n/);
    assert.match(await queue.rejected(2, ['config', 'sho']), /hint: use one of: config list/);
    assert.match(await queue.rejected(2, ['worker', 'strat']), /did you mean 'queuectl worker start'/);
  });

  test('an unknown command is named, whatever options follow it', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['frobnicate', '--all']), /unknown command 'frobnicate'/);
    assert.match(await queue.rejected(2, ['worker', 'frobnicate', '-x']), /unknown command 'worker frobnicate'/);
    assert.match((await queue.run(['--json', 'statu', '-q'])).stderr, /"unknown command 'statu'"/);
  });
});

suite('synonyms of options, fields and settings', { concurrency: 2 }, () => {
  test('a command may be given as an option', async (t) => {
    const queue = newQueue(t);
    for (const flag of ['--command', '--cmd']) {
      const id = await queue.enqueue(flag, 'echo a b');
      assert.equal((await queue.show(id)).command, 'echo a b', flag);
    }
    assert.equal((await queue.run(['run', '--cmd', 'echo hi'])).stdout, 'hi\n');
    assert.match(await queue.rejected(2, ['enqueue', '--cmd', 'true', 'false']), /the command was given twice/);
    assert.match(await queue.rejected(2, ['enqueue', '--cmd', 'true', '--', 'false']), /the command was given twice/);
    assert.match(await queue.rejected(2, ['enqueue', '--cmd', 'true', '-'], { input: '' }), /a file and a command/);
  });

  test('--retries is --max-retries', async (t) => {
    const queue = newQueue(t);
    for (const flag of ['--retries', '--max-retries']) {
      const id = await queue.enqueue(flag, '7', 'true');
      assert.equal((await queue.show(id)).max_retries, 7, flag);
    }
    assert.equal((await queue.show(await queue.enqueue('--retries=6', 'true'))).max_retries, 6);
  });

  test('cmd in JSON is the command', async (t) => {
    const queue = newQueue(t);
    const id = await queue.enqueue('{"cmd":"echo a"}');
    assert.equal((await queue.show(id)).command, 'echo a');
    assert.match(
      await queue.rejected(2, ['enqueue', '{"cmd":"a","command":"b"}']),
      /'cmd' and 'command' set the same field/,
    );
  });

  test('a worker accepts options for its default behaviour, such as running in the background', async (t) => {
    const queue = newQueue(t);
    for (const flag of ['--daemon', '--detach', '-d']) {
      const [worker] = await queue.json<{ id: string }[]>('worker', 'start', flag, '-c', '3');
      const [listed] = await queue.json<{ id: string; concurrency: number }[]>('worker', 'list');
      assert.deepEqual([listed?.id, listed?.concurrency], [worker?.id, 3], flag);
      await queue.text('worker', 'stop');
    }
    assert.match(
      await queue.rejected(2, ['worker', 'start', '--foreground', '-d']),
      /--foreground and --detach cannot be combined/,
    );
  });

  test('a number of workers is accepted under the names used by other tools', async (t) => {
    const queue = newQueue(t);
    for (const flags of [['-n', '2'], ['--workers', '2'], ['--num-workers=2']]) {
      assert.equal((await queue.json<unknown[]>('worker', 'start', ...flags)).length, 2, flags.join(' '));
      await queue.text('worker', 'stop');
    }
    assert.match(await queue.rejected(2, ['worker', 'start', '2']), /hint: queuectl worker start --count 2\n/);
  });

  test('an unknown field name is answered with the field it means', async (t) => {
    const queue = newQueue(t);
    for (const [given, meant] of [
      ['retries', 'max_retries'],
      ['retry', 'max_retries'],
      ['max_tries', 'max_attempts'],
      ['job_timeout', 'timeout'],
      ['jobTimeout', 'timeout'],
      ['workdir', 'cwd'],
      ['working_directory', 'cwd'],
      ['dependencies', 'depends_on'],
      ['labels', 'tags'],
      ['scheduled_for', 'run_at'],
      ['shell', 'command'],
    ] as const) {
      const rejection = await queue.rejected(2, ['enqueue', JSON.stringify({ command: 'true', [given]: 1 })]);
      assert.match(rejection, new RegExp(`'${given}'.*\\n hint: did you mean '${meant}'\\?\\n`));
    }
  });

  test('a request to retry everything is answered with the right command', async (t) => {
    const queue = newQueue(t);
    assert.match(await queue.rejected(2, ['retry', '--all']), /hint: .*queuectl dlq retry --all/);
    assert.match(await queue.rejected(2, ['dlq', 'retry']), /hint: .*queuectl dlq retry --all/);
  });

  test('settings have their usual synonyms', async (t) => {
    const queue = newQueue(t);
    for (const [given, key] of [
      ['retries', 'max_retries'],
      ['timeout', 'job_timeout'],
      ['worker-poll-interval', 'poll_interval'],
      ['base_backoff', 'backoff_base'],
      ['base_delay', 'backoff_base'],
      ['max_backoff_seconds', 'backoff_max'],
      ['backoff_cap_seconds', 'backoff_max'],
      ['default-timeout', 'job_timeout'],
      ['worker-heartbeat', 'heartbeat_interval'],
    ] as const) {
      await queue.text('config', 'set', given, '9');
      assert.equal(await queue.text('config', 'get', key), '9\n');
    }
  });

  test('a synonym of an option works, or is answered with what to type', async (t) => {
    const queue = newQueue(t);
    const parent = await queue.enqueue('true');
    const child = await queue.enqueue('--depends-on', parent, '--prio', '4', 'true');
    assert.equal((await queue.show(child)).priority, 4);
    assert.equal((await queue.show(child)).state, 'blocked');
    for (const [typed, hint] of [
      ['enqueue -f jobs', 'queuectl enqueue --file FILE'],
      ['enqueue -r 3 true', '--max-retries'],
      ['enqueue --warn x true', '--warn-signal SIG@TIME'],
      ['export -f x', '--force'],
      ['worker start --once', 'queuectl worker start --exit-when-empty'],
      ['worker start --idle-timeout 5', 'queuectl worker start --exit-when-empty'],
      ['worker start --poll-interval 5', 'queuectl config set poll_interval 1s'],
      ['show --id x', 'queuectl show ID'],
      ['dlq retry --id x', 'queuectl dlq retry ID'],
      ['config set --max-retries 3', 'queuectl config set max_retries VALUE'],
      ['config set --key k --value v', 'queuectl config set KEY VALUE'],
      ['config get --key k', 'queuectl config get KEY'],
      ['config unset --key k', 'queuectl config unset KEY'],
      ['config reset', 'queuectl config unset KEY'],
      ['enqueue ls -la', "queuectl enqueue 'ls -la', or put -- before it: queuectl enqueue -- ls -la"],
      ['list --state running', "did you mean 'processing'"],
      ['list --state done', "did you mean 'completed'"],
      ['export --state running', "did you mean 'processing'"],
      ['backup', 'queuectl export --all FILE'],
      ['clean', 'queuectl prune'],
      ['upgrade', 'queuectl init'],
      ['jobs clear', 'queuectl prune'],
      ['jobs dead', 'queuectl list --state dead'],
      ['config set max_retries=3', 'queuectl config set max_retries 3'],
      ['schedule add --every 1h ./backup.sh', 'queuectl schedule add NAME'],
    ] as const) {
      const rejection = await queue.rejected(2, typed.split(' '));
      assert.ok(rejection.split(' hint: ')[1]?.includes(hint), `${typed}\n${rejection}`);
    }
  });

  test('prune --dry-run prints how many jobs it would remove, and removes none', async (t) => {
    const queue = newQueue(t);
    await queue.finished('true');
    assert.equal(await queue.text('prune', '--dry-run'), 'would delete 1 job with their logs\n');
    assert.equal(await queue.count(), 1);
  });

  test('the queue may be named by other options, also before the command', async (t) => {
    const queue = newQueue(t);
    const other = path.join(queue.folder, 'other.db');
    const env = { QUEUECTL_DB: undefined };
    for (const option of ['--storage-path', '--db-path', '--database'])
      assert.equal((await queue.run([option, other, 'enqueue', 'true'], { env })).code, 0, option);
    const { stdout } = await queue.run(['status', '--json', '--db-path', other], { env });
    assert.equal(JSON.parse(stdout).pending, 3);
  });

  test('a setting keeps the meaning of the synonym it is set under, and its unit is printed', async (t) => {
    const queue = newQueue(t);
    assert.equal(
      await queue.text('config', 'set', 'default_max_tries', '5'),
      'max_retries = 4 (5 attempts in total)\n',
    );
    assert.equal(await queue.text('config', 'get', 'default_max_tries'), '5\n');
    assert.equal(await queue.text('config', 'get', 'max_retries'), '4\n');
    for (const [key, value, shown] of [
      ['worker_poll_interval', '1000', 'poll_interval = 1000 s (16 min 40 s)'],
      ['retention_completed', '7d', 'retention_completed = 604800 s (7 d)'],
      ['kill_grace', '5', 'kill_grace = 5 s'],
      ['log_max_bytes', '2097152', 'log_max_bytes = 2097152 bytes (2.0 MiB)'],
    ] as const)
      assert.equal(await queue.text('config', 'set', key, value), `${shown}\n`);
  });

  test('JSON with wrong quotes is answered with the right quotes', async (t) => {
    const queue = newQueue(t);
    for (const [text, hint] of [
      ['{"command":"echo "hi""}', /hint: escape quotes inside a value/],
      ['{command:true}', /hint: put the JSON in single quotes/],
      ["{'command':'true'}", /hint: use double quotes in JSON/],
    ] as const)
      assert.match(await queue.rejected(2, ['enqueue', text]), hint);
    assert.match(
      await queue.rejected(2, ['enqueue', '{"command":"echo', 'hi"}']),
      /hint: put the JSON in single quotes/,
    );
  });

  test('a variable that looks like a queue location is rejected, not ignored', async (t) => {
    const queue = newQueue(t);
    const other = path.join(queue.folder, 'other.db');
    for (const name of ['QUEUECTL_DB_PATH', 'QUEUECTL_DATABASE', 'QUEUECTL_DATABASE_URL']) {
      const env = { QUEUECTL_DB: undefined, [name]: other };
      const rejection = await queue.rejected(2, ['enqueue', 'true'], { env });
      assert.match(rejection, new RegExp(`${name} is set, but .* QUEUECTL_DB\\n hint: QUEUECTL_DB=.*other\\.db`));
    }
    assert.deepEqual(queue.files(), [], 'nothing was made');
    const env = { QUEUECTL_DB_PATH: other, QUEUECTL_DB: undefined };
    const { code } = await queue.run(['--db', other, 'enqueue', 'true'], { env });
    assert.equal(code, 0, '--db says which queue is meant');
  });
});

/** Ages and the times that metrics count differ from one command to the next. */
const withoutAges = (text: string): string => text.replace(/\d+ (m?s|min) ago|\bnow\b/g, 'AGE').replace(/ +/g, ' ');
