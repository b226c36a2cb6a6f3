// queuectl export and import: a backup without any other program, checked whole before it is brought back.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../support/until.ts';
import { type Document, newQueue, type TestQueue } from './support.ts';

/** A queue with jobs in several states, output of all sizes, and settings. */
async function livedIn(t: TestContext): Promise<TestQueue> {
  const queue = newQueue(t);
  const jobs = [
    { id: 'good', command: 'echo fine; printf "no newline"', priority: 5, tags: ['x'] },
    { id: 'dead', command: 'echo why >&2; exit 2', max_retries: 0, queue: 'mail', group: 'g' },
    { id: 'large', command: 'seq 1 200000', env: { KEY: 'it is "quoted" $HOME 🦊' } },
    { id: 'after', command: 'true', after: 'good' },
  ];
  await queue.prepare('enqueue', JSON.stringify(jobs));
  await queue.prepare('config', 'set', 'max_retries', '7');
  await queue.prepare('config', 'set', 'webhook_secret', 'tell nobody');
  await queue.drain();
  await queue.enqueue('--id', 'later', '--run-at', '2199-01-01T00:00:00Z', 'true');
  await queue.enqueue('--id', 'waits', '--after', 'later', 'true');
  return queue;
}

const linesOf = (file: string): string[] => fs.readFileSync(file, 'utf8').trimEnd().split('\n');
const kindsIn = (file: string): string[] => linesOf(file).map((line) => Object.keys(JSON.parse(line))[0] ?? '');

/** The same without what belongs to one place. */
const portable = ({ log_path: _, ...job }: Document): Document => job;

test('an export counts schedules, and names omitted users, tokens and secrets', async (t) => {
  const [queue, other] = [newQueue(t), newQueue(t)];
  await queue.prepare('schedule', 'add', 'hourly', '--every', '1h', 'true');
  await queue.prepare('schedule', 'add', 'daily', '--every', '1d', 'true');
  await queue.prepare('token', 'add', 'ci', '--role', 'viewer');
  await queue.run(['user', 'add', 'ann', '--role', 'viewer'], { input: 'a long enough password\n' });
  await queue.run(['secret', 'set', 'PASSWORD'], { input: 'much too secret' });
  const file = path.join(queue.folder, 'backup.ndjson');
  const { stdout, stderr } = await queue.run(['export', '--all', file]);
  assert.match(stdout, /^0 jobs, 2 schedules exported to /);
  assert.equal(stderr, 'not exported: 1 user, 1 token, 1 secret; to copy them to another database: queuectl migrate\n');
  const piped = await queue.run(['export', '--all']);
  assert.match(piped.stderr, /^0 jobs, 2 schedules exported\nnot exported: 1 user, 1 token, 1 secret;/);
  const { left_out } = await queue.json<Document>('export', '--all', '--force', file);
  assert.deepEqual(left_out, { users: 1, tokens: 1, secrets: 1 });
  assert.match(await other.text('import', file), /^0 jobs, 2 schedules imported$/m);
  assert.match(await other.text('import', file), /^0 jobs imported$/m, 'they are there already');
});

test('a backup restores jobs, attempts, output, settings and environments', async (t) => {
  const [queue, other] = [await livedIn(t), newQueue(t)];
  const file = path.join(queue.folder, 'backup.ndjson');
  assert.match(await queue.text('export', '--all', file), /^6 jobs, 4 attempts, 2 settings exported to /);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.match(await other.text('import', file), /^6 jobs, 4 attempts, 2 settings imported$/m);
  for (const id of ['good', 'dead', 'large', 'after', 'later', 'waits']) {
    const [before, after] = [await queue.json('show', id, '--show-env'), await other.json('show', id, '--show-env')];
    assert.deepEqual(
      { ...portable(after), history: (after.history as Document[]).map(portable), waiting_reasons: [] },
      { ...portable(before), history: (before.history as Document[]).map(portable), waiting_reasons: [] },
    );
  }
  for (const id of ['good', 'dead', 'large']) assert.equal(await other.text('logs', id), await queue.text('logs', id));
  assert.equal(await other.text('config', 'get', 'max_retries'), '7\n');
  const again = path.join(other.folder, 'again.ndjson');
  await other.text('export', '--all', again);
  assert.deepEqual(linesOf(again).slice(1), linesOf(file).slice(1));
  const { ever } = await other.json<{ ever: Document }>('metrics');
  assert.equal(ever.enqueued, 0, 'what was counted over time stays where it was counted');
});

test('imported jobs run in order and find their dependencies', async (t) => {
  const [queue, other] = [newQueue(t), newQueue(t)];
  await other.enqueue('--id', 'x', 'true');
  await queue.enqueue('--id', 'first', 'echo 1');
  await queue.enqueue('--id', 'second', '--after', 'first', 'echo 2');
  await queue.sh('queuectl export - > "$QUEUECTL_HOME/file"');
  await other.text('import', path.join(queue.home, 'file'));
  await other.drain();
  assert.deepEqual((await other.jobs('--limit', '0')).map(({ id, state }) => [id, state]).reverse(), [
    ['x', 'completed'],
    ['first', 'completed'],
    ['second', 'completed'],
  ]);
});

test('an export without --all has no attempts or output, and a filter selects its jobs', async (t) => {
  const queue = await livedIn(t);
  const file = path.join(queue.folder, 'file');
  await queue.text('export', file);
  assert.deepEqual(new Set(kindsIn(file)), new Set(['queuectl', 'setting', 'table', 'environment', 'job', 'end']));
  const only = async (...flags: string[]): Promise<unknown[]> => {
    await queue.text('export', '--force', ...flags, file);
    const jobs = linesOf(file)
      .map((line) => JSON.parse(line))
      .filter(({ job }) => job);
    assert.ok(!kindsIn(file).includes('setting'));
    return jobs.map(({ job }) => job.id);
  };
  assert.deepEqual(await only('--state', 'dead'), ['dead']);
  assert.deepEqual(await only('--state', 'dead,blocked'), ['dead', 'waits']);
  assert.deepEqual(await only('--queue', 'mail'), ['dead']);
  assert.deepEqual(await only('--group', 'g', '--history'), ['dead']);
  assert.ok(kindsIn(file).includes('attempt'));
});

test('a running job is exported as pending with a notice', async (t) => {
  const [queue, other] = [newQueue(t), newQueue(t)];
  await queue.enqueue('--id', 'long', 'sleep 60');
  const worker = await queue.worker();
  await queue.untilState('long', 'processing');
  const file = path.join(queue.folder, 'file');
  assert.match(await queue.text('export', '--all', file), /1 running job exported as pending/);
  await queue.prepare('cancel', 'long');
  await worker.leave();
  await other.text('import', file);
  const { state, attempts, history } = await other.show('long');
  assert.deepEqual([state, attempts], ['pending', 0]);
  assert.equal((history as Document[])[0]?.outcome, 'released');
});

test('a taken ID rejects the whole file, and --skip-existing skips such jobs', async (t) => {
  const [queue, other] = [newQueue(t), newQueue(t)];
  for (const id of ['a', 'b', 'c']) await queue.enqueue('--id', id, 'true');
  await other.enqueue('--id', 'b', 'echo mine');
  await other.text('config', 'set', 'max_retries', '1');
  await queue.prepare('config', 'set', 'max_retries', '9');
  const file = path.join(queue.folder, 'file');
  await queue.text('export', file);
  assert.match(await other.rejected(4, ['import', file]), /job 'b' already exists; nothing was imported/);
  assert.equal(await other.count(), 1);
  assert.match(
    await other.text('import', '--skip-existing', file),
    /^2 jobs imported; 1 job skipped because the ID exists$/m,
  );
  assert.equal((await other.show('b')).command, 'echo mine');
  assert.equal(await other.text('config', 'get', 'max_retries'), '1\n', 'what is there stays');
  assert.match(
    await other.text('import', '--skip-existing', file),
    /^0 jobs imported; 3 jobs skipped because the ID exists$/m,
  );
});

test('export and import work through a pipe', async (t) => {
  const [queue, other] = [await livedIn(t), newQueue(t)];
  const { code, stderr } = await queue.sh(`queuectl export --all | queuectl --db '${other.db}' import -`);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^6 jobs, 4 attempts, 2 settings exported$/m);
  assert.equal(await other.count(), 6);
  const left = fs.readdirSync(process.env.TMPDIR ?? '/tmp').filter((name) => name.startsWith('queuectl-import-'));
  assert.deepEqual(left, [], 'what was spooled is gone');
});

test('an existing file is only replaced on request, and a failed export leaves no file', async (t) => {
  const queue = newQueue(t);
  const file = queue.write('mine', 'precious');
  assert.match(await queue.rejected(4, ['export', file]), /file '.*mine' already exists; nothing was written/);
  assert.equal(fs.readFileSync(file, 'utf8'), 'precious');
  await queue.text('export', '--force', file);
  assert.match(fs.readFileSync(file, 'utf8'), /^\{"queuectl":/);
  assert.match(await queue.rejected(1, ['export', '/proc/none/file']), /cannot write '\/proc\/none\/file'/);
  assert.deepEqual(
    queue.files().filter((name) => name.endsWith('.part')),
    [],
  );
});

test('a bad file is rejected with the bad line, and nothing is stored', async (t) => {
  const [queue, other] = [await livedIn(t), newQueue(t)];
  const file = path.join(queue.folder, 'good');
  await queue.text('export', '--all', file);
  const lines = linesOf(file);
  const at = (kind: string): number => lines.findIndex((line) => kind in JSON.parse(line));
  const change = (kind: string, edit: (said: Document) => unknown): string[] =>
    lines.map((line, i) => (i === at(kind) ? JSON.stringify(edit(JSON.parse(line))) : line));
  const job = (edit: Document): string[] =>
    change('job', (said) => ({ ...said, job: { ...(said.job as Document), ...edit } }));
  const line = (kind: string): string => `line ${at(kind) + 1}: `;
  const wrong: [string, readonly string[] | string, RegExp][] = [
    ['empty', '', /the file is empty/],
    ['text', 'hello\n', /the file is not a queuectl export/],
    ['jobs', '{"command":"true"}\n', /not a queuectl export[\s\S]*hint: .*enqueue --file/],
    [
      'a newer format',
      change('queuectl', ({ queuectl }) => ({ queuectl: { ...(queuectl as Document), format: 99 } })),
      /newer queuectl \(format 99[\s\S]*upgrade/,
    ],
    [
      'a newer schema',
      change('queuectl', ({ queuectl }) => ({ queuectl: { ...(queuectl as Document), schema: 99 } })),
      /newer queuectl/,
    ],
    ['cut between lines', lines.slice(0, -1), /the file is truncated: its last line is missing/],
    ['cut within a line', lines.join('\n').slice(0, -5), /the file is truncated at line \d+/],
    [
      'a missing line',
      lines.filter((_, i) => i !== at('attempt') + 1),
      /the file declares \d+ outputs but contains \d+/,
    ],
    ['lines behind the end', [...lines, lines[1] ?? ''], /follows the end marker/],
    ['garbage', lines.map((one, i) => (i === 3 ? 'garbage' : one)), /line 4 is not valid JSON/],
    ['no object', lines.map((one, i) => (i === 3 ? '[1]' : one)), /line 4 is not a JSON object/],
    ['an unknown thing', lines.map((one, i) => (i === 3 ? '{"thing":1}' : one)), /line 4: unknown record: thing/],
    ['an unknown column', job({ 'id" ); DROP TABLE jobs; --': 1 }), /unknown field 'id" \); DROP/],
    ['a local column', job({ seq: 7 }), /unknown field 'seq' in jobs/],
    [
      'a wrong type',
      job({ priority: 'high' }),
      new RegExp(`${line('job')}field 'priority' in jobs must be of type integer`),
    ],
    ['a wrong state', job({ state: 'processing' }), /invalid job state 'processing'/],
    ['a wrong id', job({ id: 'a b' }), /invalid job ID 'a b'/],
    ['an id that is a route', job({ id: 'count' }), /invalid job ID 'count'/],
    ['a queue that leads to another route', job({ queue: '..' }), /invalid name '\.\.' \(queue\)/],
    [
      'a missing field',
      change('job', (said) => ({ ...said, job: { id: 'x', state: 'pending' } })),
      /in jobs is missing/,
    ],
    [
      'an unknown environment',
      change('job', (said) => ({ ...said, environment: 77 })),
      /the job's environment is missing before the job/,
    ],
    [
      'the same job twice',
      [
        ...lines.slice(0, at('job') + 1),
        lines[at('job')] ?? '',
        ...lines.slice(at('job') + 1, -1),
        lines.at(-1)?.replace('"jobs":6', '"jobs":7') ?? '',
      ],
      /job 'good' already appears on line \d+/,
    ],
    [
      'a wrong outcome',
      change('attempt', (said) => ({ attempt: { ...(said.attempt as Document), outcome: 'lucky' } })),
      /invalid attempt outcome 'lucky'/,
    ],
    [
      'output that is no base64',
      change('output', (said) => ({ ...said, output: '***' })),
      /the attempt's output is not base64/,
    ],
    ['an unknown table', change('row', (said) => ({ ...said, table: 'workers' })), /unknown table 'workers'/],
  ];
  for (const [name, content, sentence] of wrong) {
    const bad = other.write('bad', typeof content === 'string' ? content : `${content.join('\n')}\n`);
    const rejection = await other.rejected(2, ['import', bad]);
    assert.match(rejection, sentence, name);
  }
  assert.match(await other.rejected(2, ['import', '/no/such/file']), /cannot read '\/no\/such\/file'/);
  assert.equal(await other.count(), 0);
  assert.equal(await other.text('config', 'get', 'max_retries'), '3\n');
  await other.text('import', file);
});

test('an interrupted import continues with --skip-existing', async (t) => {
  const [queue, other] = [newQueue(t), newQueue(t)];
  const many = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ id: `j${i}`, command: 'true' })).join('\n');
  await queue.text('enqueue', '--file', queue.write('jobs', many));
  const file = path.join(queue.folder, 'file');
  await queue.text('export', file);
  const started = other.start(['import', file]);
  await until('some are there', async () => fs.existsSync(other.db) && (await other.count()) > 0).catch(() => {});
  started.kill('SIGKILL');
  await started.ended;
  await other.text('import', '--skip-existing', file);
  assert.equal(await other.count(), 3000);
  const ids = (await other.jobs('--limit', '0')).map(({ id }) => id);
  assert.equal(new Set(ids).size, 3000);
});
