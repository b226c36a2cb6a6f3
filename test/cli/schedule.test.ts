// queuectl schedule: what runs again and again, as a user says it, sees it and changes it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Document, newQueue, type TestQueue } from './support.ts';

const names = async (queue: TestQueue): Promise<unknown[]> =>
  (await queue.json<Document[]>('schedule', 'list')).map(({ name }) => name);

test('adding a schedule describes it in words, with the next five runs and the zone', async (t) => {
  const queue = newQueue(t);
  const args = ['schedule', 'add', 'backup', '--cron', '30 2 * * *', '--tz', 'Europe/Berlin', '--', 'true', 'a b'];
  const lines = (await queue.text(...args)).trimEnd().split('\n');
  assert.equal(lines[0], 'backup  added  every day at 02:30, Europe/Berlin');
  assert.equal(lines.length, 6);
  for (const line of lines.slice(1))
    assert.match(line, /^ {2}\w{3} \d{4}-\d\d-\d\d 02:30:00 \+0[12]:00 Europe\/Berlin {2}in \d/);
  const [listed = {}] = await queue.json<Document[]>('schedule', 'list');
  assert.deepEqual(
    [listed.cron, listed.time_zone, listed.words, listed.state],
    ['30 2 * * *', 'Europe/Berlin', 'every day at 02:30', 'active'],
  );
  assert.deepEqual((listed.job as Document).command, ['true', 'a b']);
  assert.equal((listed.next as string[]).length, 5);
  assert.equal(listed.next_at, (listed.next as string[])[0]);
});

test('the job of a schedule is given as with enqueue: a shell string, an exact list or JSON, with its options', async (t) => {
  const queue = newQueue(t);
  const add = (name: string, ...rest: string[]) => queue.json('schedule', 'add', name, '--every', '1h', ...rest);
  const job = async (name: string) => (await queue.json('schedule', 'show', name, '--show-env')).job as Document;
  await add(
    'shell',
    'echo "$HOME"',
    '-p',
    '5',
    '--queue',
    'mail',
    '--max-retries',
    '2',
    '--timeout',
    '90s',
    '-e',
    'A=b',
  );
  await add('json', '{"command":["printf","x"],"priority":7,"max_attempts":1}');
  const shell = await job('shell');
  assert.deepEqual(
    [shell.command, shell.priority, shell.queue, shell.max_retries, shell.timeout_seconds, shell.env, shell.cwd],
    ['echo "$HOME"', 5, 'mail', 2, 90, { A: 'b' }, fs.realpathSync(queue.folder)],
  );
  const json = await job('json');
  assert.deepEqual([json.command, json.priority, json.max_retries], [['printf', 'x'], 7, 0]);
});

test('the delay added by jitter is shown and stays constant', async (t) => {
  const queue = newQueue(t);
  const text = await queue.text('schedule', 'add', 's', '--every', '1h', '--jitter', '10m', 'true');
  const [line] = /each delayed by .* \(jitter\)/.exec(text) ?? [];
  assert.ok(line);
  assert.ok((await queue.text('schedule', 'next', 's')).includes(line));
  const { next_at, next } = await queue.json('schedule', 'show', 's');
  const delay = Date.parse(String(next_at)) - Date.parse((next as string[])[0] ?? '');
  assert.ok(delay > 0 && delay < 600_000);
});

test('an interval, a single time, six fields and words such as @daily are valid schedules', async (t) => {
  const queue = newQueue(t);
  const words = async (...args: string[]) => (await queue.json('schedule', 'add', ...args, 'true')).words;
  assert.equal(await words('a', '--every', '90s'), 'every 1 minute 30 seconds');
  assert.equal(await words('b', '--at', '2199-01-01T00:00:00Z'), 'once');
  assert.equal(await words('c', '--cron', '*/10 * * * * *'), 'every 10 seconds');
  assert.equal(await words('d', '--cron', '@daily'), 'every day at 00:00');
  assert.equal(await words('e', '--cron', '0 0 LW * *'), 'at 00:00, on the last weekday of the month');
  assert.equal((await queue.json('schedule', 'show', 'b')).at, '2199-01-01T00:00:00.000Z');
  assert.equal((await queue.json('schedule', 'show', 'a')).every_seconds, 90);
});

const WRONG: [args: string[], sentence: RegExp][] = [
  [['--cron', '61 * * * *', 'true'], /cron field 'minute': invalid value '61'/],
  [['--cron', '0 0 * * FOO', 'true'], /cron field 'day of week'/],
  [['--cron', '* * *', 'true'], /5 fields/],
  [['--cron', '0 0 30 2 *', 'true'], /never matches/],
  [
    ['--cron', '* * * * *', '--tz', 'Europe/Berlinn', 'true'],
    /unknown time zone.*\n hint: did you mean 'Europe\/Berlin'/,
  ],
  [['--every', '0s', 'true'], /--every must be from 1 second to 10 years, not '0s'/],
  [['--every', 'often', 'true'], /invalid duration 'often' for --every/],
  [['--at', '2020-01-01', 'true'], /is in the past/],
  [['--at', 'yesterdayish', 'true'], /invalid time 'yesterdayish' for --at/],
  [['--every', '1m', '--jitter', '1m', 'true'], /shorter than the interval/],
  [['--every', '1m', '--jitter', 'x', 'true'], /--jitter must be a duration/],
  [['--every', '1m', '--cron', '* * * * *', 'true'], /cannot be combined/],
  [['true'], /missing schedule time/],
  [
    ['--every', '1m', '--overlap', 'never', 'true'],
    /invalid value 'never' for --overlap.*\n hint: use one of allow, skip/,
  ],
  [['--every', '1m', '--catch-up', 'some', 'true'], /invalid value 'some' for --catch-up/],
  [['--every', '1m', '--catch-up-max', '0', 'true'], /--catch-up-max/],
  [['--every', '1m'], /missing schedule name or command/],
  [['--every', '1m', 'a', 'b'], /ambiguous/],
  [['--every', '1m', '{"command":"x","prioritty":1}'], /unknown field 'prioritty'/],
  [['--every', '1m', '{"command":"x","id":"a"}'], /cannot have a fixed ID/],
  [['--every', '1m', '{"command":"x","run_at":"+5m"}'], /cannot have a fixed start time/],
  [['--every', '1m', '{"command":"x","after":"y"}'], /cannot have dependencies/],
  [['--every', '1m', '{"command":"x","unique_key":"k","if_exists":"error"}'], /the error would go unnoticed/],
  [['--every', '1m', '[{"command":"x"},{"command":"y"}]'], /creates only one job/],
  [['--every', '1m', '--id', 'a', 'true'], /unknown option '--id'/],
];
test('invalid input is rejected with one sentence, and nothing is stored', async (t) => {
  const queue = newQueue(t);
  for (const [args, sentence] of WRONG) {
    assert.match(await queue.rejected(2, ['schedule', 'add', 'x', ...args]), sentence, args.join(' '));
  }
  for (const name of ['a b', '', 'ü', 'x'.repeat(129)]) {
    assert.match(await queue.rejected(2, ['schedule', 'add', name, '--every', '1m', 'true']), /invalid schedule name/);
  }
  await queue.rejected(2, ['schedule', 'add']);
  assert.deepEqual(await names(queue), []);
});

test('a taken name is a conflict, and an unknown name is not found', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 'backup', '--every', '1h', 'true');
  const taken = await queue.rejected(4, ['schedule', 'add', 'backup', '--every', '2h', 'false']);
  assert.match(taken, /schedule 'backup' already exists\n hint: .*schedule edit backup/);
  assert.equal((await queue.json('schedule', 'show', 'backup')).every_seconds, 3600);
  for (const verb of ['show', 'next', 'run', 'pause', 'resume', 'remove']) {
    assert.match(
      await queue.rejected(3, ['schedule', verb, 'bakup']),
      /'bakup' not found\n hint: did you mean 'backup'/,
    );
  }
  await queue.rejected(3, ['schedule', 'edit', 'bakup', '--every', '1h']);
  await queue.rejected(3, ['schedule', 'remove', 'backup', 'gone']);
  assert.deepEqual(await names(queue), ['backup']);
});

test('a schedule can be changed in part, and other fields stay', async (t) => {
  const queue = newQueue(t);
  await queue.text(
    'schedule',
    'add',
    's',
    '--cron',
    '0 3 * * *',
    '--tz',
    'UTC',
    '--overlap',
    'skip',
    '-p',
    '5',
    'echo one',
  );
  const edit = (...args: string[]) => queue.json('schedule', 'edit', 's', ...args);
  const later = await edit('--cron', '0 4 * * *');
  assert.deepEqual(
    [later.cron, later.overlap, later.time_zone, (later.job as Document).priority],
    ['0 4 * * *', 'skip', 'UTC', 5],
  );
  assert.match(String(later.next_at), /T04:00:00/);
  const elsewhere = await edit('--tz', 'Asia/Kolkata');
  assert.match(String(elsewhere.next_at), /T22:30:00/);
  const other = (await edit('-p', '0', 'echo two')).job as Document;
  assert.deepEqual([other.command, other.priority], ['echo two', 0]);
  const whole = (await edit('{"command":"echo three"}')).job as Document;
  assert.deepEqual([whole.command, whole.priority], ['echo three', undefined]);
  const coded =
    '{"command":"true","timeout_seconds":100,"success_codes":[0,3],"warn_signal":"USR1@60s","hooks":{"on_dead":"echo dead"}}';
  await edit(coded);
  const kept = (await edit('--snooze-code', '75', '--on-success', 'echo fine')).job as Document;
  assert.deepEqual([kept.success_codes, kept.snooze_code, kept.warn_signal], [[0, 3], 75, 'USR1']);
  assert.deepEqual(kept.hooks, { on_dead: 'echo dead', on_success: 'echo fine' });
  await edit('{"command":"true","group":"g","group_hooks":{"on_dead":"echo dead"},"key":"k"}');
  const grouped = (await edit('--group-concurrency', '2', '--key-concurrency', '3', '-p', '1')).job as Document;
  assert.deepEqual([grouped.group, grouped.group_concurrency, grouped.key, grouped.key_concurrency], ['g', 2, 'k', 3]);
  assert.deepEqual((await edit('--every', '5m')).every_seconds, 300);
  assert.match(await queue.rejected(2, ['schedule', 'edit', 's']), /nothing to change/);
  assert.match(await queue.rejected(2, ['schedule', 'edit', 's', '--cron', '0 0 30 2 *']), /never matches/);
  assert.equal((await queue.json('schedule', 'show', 's')).every_seconds, 300);
});

test('schedule edit --unset resets fields of the schedule and of its job', async (t) => {
  const queue = newQueue(t);
  const job = {
    command: 'true',
    timeout_seconds: 100,
    priority: 5,
    tags: ['x'],
    group: 'g',
    group_concurrency: 2,
    success_codes: [0, 3],
    snooze_code: 75,
    memory: '1G',
    hooks: { on_dead: 'echo dead', on_success: 'echo fine' },
  };
  const rules = ['--jitter', '5m', '--overlap', 'skip', '--catch-up-window', '1h', '--catch-up-max', '3'];
  await queue.prepare('schedule', 'add', 's', '--every', '1d', ...rules, JSON.stringify(job));
  const edited = await queue.json(
    'schedule',
    'edit',
    's',
    ...['--unset', 'jitter,catch-up-window', '--unset', 'timeout', '--unset', 'on-dead'],
    ...['--unset', 'group,memory,snooze-code', '--priority', '7'],
  );
  assert.deepEqual(
    [edited.jitter_seconds, edited.catch_up_window_seconds, edited.overlap, edited.catch_up_max],
    [0, null, 'skip', 3],
  );
  const left = edited.job as Document;
  assert.deepEqual(
    [left.timeout_seconds, left.priority, left.tags, left.group, left.group_concurrency, left.limits],
    [undefined, 7, ['x'], undefined, undefined, undefined],
  );
  assert.deepEqual([left.success_codes, left.snooze_code ?? null], [[0, 3], null]);
  assert.deepEqual(left.hooks, { on_success: 'echo fine' });
  const rejected = (...names: string[]) => queue.rejected(2, ['schedule', 'edit', 's', '--unset', ...names]);
  assert.match(await rejected('tiemout'), /unknown field 'tiemout'[\s\S]*timeout/);
  assert.match(await rejected('command'), /requires 'command'/);
  assert.match(await queue.rejected(2, ['schedule', 'edit', 's', '--unset']), /--unset requires a value/);
});

test('a paused schedule has no next run until it is resumed', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 'a', '--every', '1h', 'true');
  await queue.text('schedule', 'add', 'b', '--every', '1h', 'true');
  assert.equal(await queue.text('schedule', 'pause', 'a', 'b'), 'a  paused\nb  paused\n');
  const paused = await queue.json('schedule', 'show', 'a');
  assert.deepEqual([paused.paused, paused.next_at], [true, null]);
  assert.match(await queue.text('schedule', 'list'), /^a .* paused /m);
  assert.match(await queue.text('schedule', 'resume', 'a'), /^a {2}resumed, next in (59 min|1 h)/);
  assert.equal((await queue.json('schedule', 'show', 'a')).paused, false);
  await queue.text('schedule', 'resume', 'a');
});

test("a manual run uses the schedule's fields and names its schedule", async (t) => {
  const queue = newQueue(t);
  const command = 'echo "$MARK $QUEUECTL_SCHEDULED_AT"';
  const env = { MARK: 'of the shell' };
  await queue.run(['schedule', 'add', 's', '--every', '1h', '--inherit-env', command], { env });
  const [made] = await queue.json<Document[]>('schedule', 'run', 's');
  assert.equal(made?.schedule, 's');
  await queue.drain();
  assert.equal(await queue.text('logs', '--raw', String(made?.id)), `of the shell ${made?.scheduled_at}\n`);
  const { ticks } = await queue.json('schedule', 'show', 's');
  assert.deepEqual((ticks as Document[]).map(({ job, reason, outcome }) => [job, reason, outcome]), [[made?.id, 'by_hand', 'enqueued']]); // biome-ignore format: one line
  assert.match(await queue.text('schedule', 'show', 's'), /enqueued {2}\w+ {2}started manually/);
});

test('next lists any number of runs, in the zone of the schedule or as data in UTC', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 's', '--cron', '0 12 1 1 *', '--tz', 'Asia/Kolkata', 'true');
  const lines = (await queue.text('schedule', 'next', 's', '-n', '3')).trimEnd().split('\n');
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^\w{3} \d{4}-01-01 12:00:00 \+05:30 Asia\/Kolkata/);
  for (const at of await queue.json<string[]>('schedule', 'next', 's')) assert.match(at, /-01-01T06:30:00\.000Z$/);
  assert.match(await queue.rejected(2, ['schedule', 'next', 's', '-n', '0']), /--count/);
});

const CRONTAB = `MAILTO=me@example.com
A=b
*/5 * * * * echo five
0 3 * * * backup%with input
`;

test('a crontab is imported, and unsupported lines are reported', async (t) => {
  const queue = newQueue(t);
  queue.write('crontab', CRONTAB);
  const env = { HOME: queue.folder };
  const dry = await queue.run(['schedule', 'import', '--crontab', 'crontab', '--dry-run'], { env });
  assert.match(dry.stdout, /^1 schedule would be added\n/);
  assert.deepEqual(await names(queue), []);
  const { code, stdout, stderr } = await queue.run(['schedule', 'import', '--crontab', 'crontab'], { env });
  assert.deepEqual([code, stdout.split('\n')[0]], [0, '1 schedule added']);
  assert.match(stderr, /not imported: line 1: MAILTO=.*\n.*no mail[\s\S]*not imported: line 4: .*\n.*after %/);
  const { job, cron } = await queue.json('schedule', 'show', 'echo', '--show-env');
  assert.deepEqual([cron, (job as Document).env, (job as Document).cwd], ['*/5 * * * *', { A: 'b' }, queue.folder]);
  assert.match(
    await queue.rejected(4, ['schedule', 'import', '--crontab', 'crontab'], { env }),
    /already exists; nothing was added\n hint: .*--prefix/,
  );
  assert.match(
    await queue.rejected(4, ['schedule', 'import', '--crontab', 'crontab', '--dry-run'], { env }),
    /already exists/,
    'a dry run says what would happen',
  );
  const more = await queue.run(['schedule', 'import', '--crontab', 'crontab', '--prefix', 'my-', '--json'], {
    env,
  });
  const { schedules, not_taken } = JSON.parse(more.stdout);
  assert.deepEqual([schedules[0].name, not_taken.length, more.stderr], ['my-echo', 2, '']);
});

test('without a file, the crontab is read from crontab -l', async (t) => {
  const queue = newQueue(t);
  const bin = path.join(queue.folder, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'crontab'), '#!/bin/sh\n[ "$1" = -l ] && echo "@daily true"\n', {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: queue.folder };
  const { stdout } = await queue.run(['schedule', 'import', '--crontab', '--json'], { env });
  assert.equal(JSON.parse(stdout).schedules[0].cron, '@daily');
  fs.writeFileSync(path.join(bin, 'crontab'), '#!/bin/sh\necho "no crontab for me" >&2; exit 1\n');
  assert.match(await queue.rejected(2, ['schedule', 'import', '--crontab'], { env }), /no crontab for me/);
  assert.match(await queue.rejected(2, ['schedule', 'import', '--crontab', 'gone'], { env }), /cannot read 'gone'/);
  assert.match(await queue.rejected(2, ['schedule', 'import'], { env }), /missing source to import/);
  const system = await queue.rejected(2, ['schedule', 'import', '--crontab', '/etc/cron.d/x'], { env });
  assert.match(system, /user column.*\n hint: .*--user NAME/);
});

test('a reset keeps the schedules and reports that', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 's', '--every', '1h', 'true');
  await queue.enqueue('true');
  await queue.text('reset', '--yes');
  assert.deepEqual([await names(queue), await queue.count()], [['s'], 0]);
  assert.match(await queue.text('reset', '--help'), /schedules/);
});

test('schedule names are completed', async (t) => {
  const queue = newQueue(t);
  await queue.text('schedule', 'add', 'backup', '--every', '1h', 'true');
  const { stdout } = await queue.run(['__complete', '--', 'queuectl schedule show ba']);
  assert.match(stdout, /^backup\b/m);
  const zones = await queue.run(['__complete', '--', 'queuectl schedule add x --tz Europe/Be']);
  assert.match(zones.stdout, /^Europe\/Berlin$/m);
});
