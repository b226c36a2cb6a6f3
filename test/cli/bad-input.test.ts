// What bad input gets: one sentence that names what is wrong, exit code 2, and nothing stored.

import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { newQueue } from './support.ts';

test('text that is not JSON is rejected with the position of the error', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['enqueue', '{bad']), /invalid JSON.*position 1/);
  assert.match(await queue.rejected(2, ['enqueue', '{"command":"x",}']), /invalid JSON.*position 15/);
  assert.match(await queue.rejected(2, ['enqueue', '{"command":"x"']), /invalid JSON.*position 14/);
  assert.match(await queue.rejected(2, ['enqueue', '[{"command":"x"}']), /invalid JSON/);
  assert.equal(await queue.count(), 0);
});

test('a job without a command is rejected: command required', async (t) => {
  const queue = newQueue(t);
  const lines = [
    ['{"id":"x"}'],
    [''],
    ['{"command":""}'],
    ['{"command":[]}'],
    ['{"command":[""]}'],
    ['{}'],
    ['--'],
    [],
  ];
  for (const line of lines) {
    assert.match(await queue.rejected(2, ['enqueue', ...line]), /command required/, JSON.stringify(line));
  }
  assert.equal(await queue.count(), 0);
});

test('a job ID cannot be used twice, and the first job is unchanged', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('{"id":"job1","command":"echo first"}');
  const before = await queue.show('job1');
  const again = ['enqueue', '{"id":"job1","command":"echo second","priority":9}'];
  assert.match(await queue.rejected(4, again), /job 'job1' already exists/);
  assert.deepEqual(await queue.show('job1'), before);
});

test('a batch with a taken ID adds none of its jobs', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('--id', 'b', 'true');
  const batch = '[{"id":"a","command":"true"},{"id":"b","command":"true"},{"id":"c","command":"true"}]';
  assert.match(await queue.rejected(4, ['enqueue', batch]), /job 'b' already exists/);
  const twins = '[{"id":"d","command":"true"},{"id":"d","command":"true"}]';
  assert.match(await queue.rejected(4, ['enqueue', twins]), /job 'd' already exists/);
  assert.deepEqual(
    (await queue.jobs()).map(({ id }) => id),
    ['b'],
  );
});

const long = 'x'.repeat(500);

const wrongFields: readonly (readonly [string, RegExp])[] = [
  ['{"command":"x","prioritty":1}', /unknown field 'prioritty'.*\n.*did you mean 'priority'/],
  ['{"command":"x","__proto__":{}}', /unknown field '__proto__'/],
  ['{"command":"x","created_at":"2026-01-01T00:00:00Z"}', /'created_at' is set by queuectl/],
  ['{"command":"x","state":"dead"}', /'state'.*"pending".*'dead'/],
  ['{"command":"x","attempts":2}', /'attempts'.*0.*2/],
  ['{"command":7}', /'command' must be .*7/],
  ['{"command":["a",1]}', /'command\[1\]' must be a string, not 1/],
  ['{"command":"x","id":""}', /'id' is empty/],
  ['{"command":"x","id":"a/b"}', /'id' 'a\/b' has characters/],
  ['{"command":"x","id":"é"}', /'id' 'é' has characters/],
  [`{"command":"x","id":"${long}"}`, /'id' 'x+\.\.\.' is 500 characters long/],
  ['{"command":"x","queue":"a/b"}', /'queue' 'a\/b' has characters/],
  ['{"command":"x","priority":"1"}', /'priority' must be a whole number, not '1'/],
  ['{"command":"x","priority":1.5}', /'priority' must be a whole number, not 1\.5/],
  ['{"command":"x","priority":NaN}', /invalid JSON.*NaN/],
  ['{"command":"x","priority":1e99}', /'priority' must be from -2147483648 to 2147483647, not 1e\+99/],
  ['{"command":"x","priority":1e999}', /'priority' must be from .*, not Infinity/],
  ['{"command":"x","priority":2147483648}', /'priority' must be from .* to 2147483647, not 2147483648/],
  ['{"command":"x","priority":-2147483649}', /'priority' must be from -2147483648 /],
  ['{"command":"x","max_retries":-1}', /'max_retries' must be from 0 to .*, not -1/],
  ['{"command":"x","max_attempts":0}', /'max_attempts' must be from 1 to .*, not 0/],
  ['{"command":"x","max_retries":1,"max_attempts":2}', /'max_retries' and 'max_attempts' set the same field/],
  ['{"command":"x","backoff_base":-2}', /'backoff_base' must be from 0 to .*, not -2/],
  ['{"command":"x","backoff_strategy":"random"}', /'backoff_strategy' must be one of exponential.*'random'/],
  ['{"command":"x","timeout_seconds":-1}', /'timeout_seconds' must be from .*, not -1/],
  ['{"command":"x","timeout":"a while"}', /'timeout' 'a while' is not a duration/],
  ['{"command":"x","run_at":"soonish"}', /'run_at' 'soonish' is not a time/],
  ['{"command":"x","run_at":"2026-02-30T00:00:00Z"}', /'run_at' '2026-02-30T00:00:00Z' is not a time/],
  ['{"command":"x","run_at":1750000000}', /'run_at' must be a time .*1750000000/],
  ['{"command":"x","delay_seconds":-5}', /'delay_seconds' must be from 0 to .*, not -5/],
  ['{"command":"x\\u0000y"}', /'command' has a NUL byte/],
  ['{"command":"x","id":"a\\u0000"}', /'id' has a NUL byte/],
  ['{"command":"x","env":{"A":"\\u0000"}}', /'env\.A' has a NUL byte/],
  ['{"command":"\\ud800"}', /'command' is not valid Unicode/],
  ['{"command":"x","env":{"A":1}}', /'env\.A' must be a string, not 1/],
  ['{"command":"x","env":{"A=B":"1"}}', /'A=B' cannot be the name of an environment variable/],
  ['{"command":"x","env":["A=1"]}', /'env' must be an object.*a list/],
  ['["sleep 2"]', /a job must be a JSON object, not 'sleep 2'/],
];

test('an unknown field or an invalid value is named, and nothing is stored', async (t) => {
  const queue = newQueue(t);
  for (const [job, sentence] of wrongFields) {
    assert.match(await queue.rejected(2, ['enqueue', job]), sentence, job);
  }
  assert.equal(await queue.count(), 0);
});

const wrongFlags: readonly (readonly [readonly string[], RegExp])[] = [
  [['--priority', 'NaN'], /--priority must be a whole number, not 'NaN'/],
  [['--priority', '1e99'], /--priority must be a whole number, not '1e99'/],
  [['--priority', '2147483648'], /'priority' must be from .*, not 2147483648/],
  [['-p', 'high'], /-p must be a whole number, not 'high'/],
  [['-p'], /-p requires a value/],
  [['--max-retries', '-1'], /'?max[-_]retries'? must be from 0 to .*, not -1/],
  [['--max-retries', '1.5'], /--max-retries must be a whole number, not '1\.5'/],
  [['--backoff-base', 'Infinity'], /--backoff-base must be a number, not 'Infinity'/],
  [['--backoff-base', '-2'], /must be from 0 to .*, not -2/],
  [['--backoff-strategy', 'random'], /must be one of exponential.*'random'/],
  [['--timeout', 'long'], /--timeout must be a duration .*'long'/],
  [['--timeout', '-5'], /--timeout must be a duration .*'-5'/],
  [['--timeout', '0'], /timeout/],
  [['--delay', 'NaN'], /--delay must be a duration .*'NaN'/],
  [['--run-at', 'whenever'], /'whenever' is not a time/],
  [['--delay', '5s', '--run-at', '+5s'], /set the same field/],
  [['--id', 'a/b'], /'a\/b' has characters/],
  [['--id', long], /is 500 characters long/],
  [['--id', ''], /'id' is empty/],
  [['--queue', 'a b'], /'a b' has characters/],
  [['--id', 'count'], /'count' is reserved/],
  ...['id', 'queue', 'name', 'key', 'group', 'tag'].map((flag): [string[], RegExp] => [
    [`--${flag}`, '..'],
    /'\.\.' cannot be/,
  ]),
  [['--env', '=x'], /cannot be the name of an environment variable/],
  [['--prioritty', '1'], /unknown option '--prioritty'\n.*did you mean '--priority'/],
  [['--print-id=yes'], /--print-id takes no value/],
];

test('an unknown option or an invalid value is named, and nothing is stored', async (t) => {
  const queue = newQueue(t);
  for (const [flags, sentence] of wrongFlags) {
    assert.match(await queue.rejected(2, ['enqueue', 'true', ...flags]), sentence, flags.join(' '));
  }
  assert.equal(await queue.count(), 0);
});

test('one bad line among 10,000 is named, and no job is stored', async (t) => {
  const queue = newQueue(t);
  const lines = Array.from({ length: 10_000 }, (_, i) => JSON.stringify({ id: `job-${i}`, command: 'true' }));
  for (const [bad, sentence] of [
    ['{"id":"x","command":', /line 7777: .*invalid JSON/],
    ['{"id":"x","command":"true","prioritty":1}', /line 7777: unknown field 'prioritty'/],
    ['"true"', /line 7777: a job must be a JSON object/],
  ] as const) {
    const file = queue.write('jobs.ndjson', lines.with(7776, bad).join('\n'));
    const rejection = await queue.rejected(2, ['enqueue', '--file', file]);
    assert.match(rejection, sentence);
    assert.match(rejection, /nothing was enqueued/);
  }
  assert.equal(await queue.count(), 0);
});

test('a bad job in a JSON array is named by its position', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('jobs.json', '[\n{"command":"true"},\n{"command":"true"},\n{"id":"x"}\n]\n');
  assert.match(await queue.rejected(2, ['enqueue', `@${file}`]), /job 3: .*command required/);
  assert.equal(await queue.count(), 0);
});

test('an unreadable input is named with the reason', async (t) => {
  const queue = newQueue(t);
  assert.match(
    await queue.rejected(2, ['enqueue', '@nowhere.json']),
    /cannot read 'nowhere\.json': no such file or directory\n/,
  );
  assert.match(await queue.rejected(2, ['enqueue', '--file', '.']), /cannot read '\.'.*directory/);
  queue.write('empty.json', '');
  assert.match(await queue.rejected(2, ['enqueue', '@empty.json']), /no jobs in 'empty\.json'/);
  assert.match(await queue.rejected(2, ['enqueue', '-'], { input: '\n \n' }), /no jobs in/);
  assert.match(await queue.rejected(2, ['enqueue', '--lines', 'true']), /--lines requires a file or stdin/);
  assert.match(await queue.rejected(2, ['enqueue', '-', 'true']), /a file and a command cannot be combined/);
  assert.equal(await queue.count(), 0);
});

test('an unknown state is rejected with the list of valid states', async (t) => {
  const queue = newQueue(t);
  const rejection = await queue.rejected(2, ['list', '--state', 'bogus']);
  assert.match(rejection, /'bogus'/);
  for (const state of ['pending', 'processing', 'completed', 'failed', 'dead', 'blocked', 'cancelled']) {
    assert.ok(rejection.includes(state), state);
  }
});

test('list rejects an invalid sort, limit or argument', async (t) => {
  const queue = newQueue(t);
  assert.match(await queue.rejected(2, ['list', '--sort', 'colour']), /colour/);
  assert.match(await queue.rejected(2, ['list', '--limit', 'all']), /--limit must be a whole number, not 'all'/);
  assert.match(await queue.rejected(2, ['list', '--limit', '-1']), /limit/);
  assert.match(await queue.rejected(2, ['list', 'dead']), /dead/);
});

test('a job that does not exist is not found', async (t) => {
  const queue = newQueue(t);
  await queue.enqueue('true');
  for (const verb of [
    ['show'],
    ['logs'],
    ['retry'],
    ['cancel'],
    ['delete'],
    ['wait'],
    ['dlq', 'retry'],
    ['dlq', 'show'],
  ]) {
    assert.match(await queue.rejected(3, [...verb, 'nope']), /job 'nope' not found/, verb.join(' '));
    assert.match(await queue.rejected(2, verb), /missing job ID/, verb.join(' '));
  }
  assert.match(await queue.rejected(3, ['worker', 'stop', 'nope']), /worker 'nope' not found/);
});

test('changing several jobs changes none if one of them does not exist', async (t) => {
  const queue = newQueue(t);
  const id = await queue.enqueue('true');
  assert.match(await queue.rejected(3, ['cancel', id, 'nope']), /'nope' not found/);
  assert.match(await queue.rejected(3, ['delete', id, 'nope']), /'nope' not found/);
  assert.equal((await queue.show(id)).state, 'pending');
});

test('retrying a job that is not dead from the dead letter queue names its state', async (t) => {
  const queue = newQueue(t);
  const pending = await queue.enqueue('--delay', '1h', 'true');
  assert.match(await queue.rejected(4, ['dlq', 'retry', pending]), new RegExp(`job '${pending}' is pending`));
  assert.match(await queue.rejected(4, ['retry', pending]), new RegExp(`job '${pending}' is pending`));
});

test('the name of a job file is not run as a command', async (t) => {
  const queue = newQueue(t);
  for (const name of ['job.json', 'jobs.ndjson', 'jobs.jsonl', 'flow.yaml', 'flow.yml']) {
    const file = path.join(queue.folder, name);
    writeFileSync(file, '{"command":"true"}\n');
    for (const line of [
      ['enqueue', file],
      ['enqueue', '--', file],
      ['run', file],
      ['enqueue', '--cwd', queue.folder, name],
      ['schedule', 'add', 'nightly', '--every', '1h', file],
    ])
      assert.match(
        await queue.rejected(2, line),
        /is a file, not a command\n hint: .*queuectl enqueue --file .*(job|flow)/,
        line.join(' '),
      );
    chmodSync(file, 0o700);
    assert.equal((await queue.show(await queue.enqueue(file))).command, file);
  }
  assert.equal((await queue.show(await queue.enqueue('missing.json'))).command, 'missing.json');
});
