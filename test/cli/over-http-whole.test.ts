// Whole queues through a server: pruned, exported, imported, filled from large files, their workers stopped, their names
// completed. The same as beside the queue, in bounded pieces.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { Detour } from '../support/detour.ts';
import { until } from '../support/until.ts';
import { both, Laptop } from './laptop.ts';
import type { TestQueue } from './support.ts';

const manyCommands = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{"id":"n${i}","command":"true"}\n`).join('');

/** An export without what tells it from another of the same queue. */
const linesOf = (file: string): string[] => fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);

const cancelled = async (queue: TestQueue, count: number): Promise<void> => {
  await queue.run(['enqueue', '-'], { input: manyCommands(count) });
  await queue.prepare('cancel', '--filter', 'newer:1h', '--yes');
};

test('prune prints the count, deletes the jobs and records the action', async (t) => {
  const { there, laptop } = await both(t);
  await cancelled(there, 1200);
  await there.enqueue('--delay', '1h', 'true');
  assert.match(await laptop.rejected(2, ['prune']), /this command would delete 1,200 jobs with their logs/);
  assert.equal(await laptop.text('prune', '--older-than', '1h', '--yes'), 'nothing to delete\n');
  assert.equal(await laptop.text('prune', '--state', 'dead', '--yes'), 'nothing to delete\n');
  assert.equal(await laptop.text('prune', '--keep', '100', '--yes'), '1,100 jobs deleted\n');
  assert.deepEqual(await laptop.json('prune', '--yes'), { removed: 100 });
  assert.equal((await there.jobs()).length, 1);
  const [entry] = await there.json<{ action: string; via: string }[]>('activity');
  assert.deepEqual([entry?.action, entry?.via], ['pruneJobs', 'http']);
});

test('whole queues need the admin role, workers the operator role', async (t) => {
  const { there, laptop, here } = await both(t);
  const operator = (await there.text('token', 'add', 'op', '--role', 'operator')).trim();
  const enqueuer = (await there.text('token', 'add', 'in', '--role', 'enqueuer')).trim();
  const file = here.write('some.ndjson', 'x');
  for (const args of [['prune', '--yes'], ['export'], ['import', file]])
    assert.match(await laptop.rejected(2, args, { QUEUECTL_TOKEN: operator }), /requires the role 'admin'/);
  const worker = await there.worker();
  const id = (await there.json<{ id: string }[]>('worker', 'list'))[0]?.id ?? '';
  assert.match(await laptop.rejected(2, ['worker', 'stop'], { QUEUECTL_TOKEN: enqueuer }), /'operator'/);
  const stopped = await laptop.start(['worker', 'stop', id], { QUEUECTL_TOKEN: operator }).ended;
  assert.deepEqual([stopped.code, stopped.stdout], [0, `${id}  stopped\n`]);
  await worker.leave();
});

test('a read-only server allows export and rejects changes', async (t) => {
  const { laptop, here } = await both(t, '--read-only');
  const file = here.write('some.ndjson', 'x');
  for (const args of [
    ['prune', '--yes'],
    ['import', file],
    ['recipe', 'add', 'r', '--', 'true'],
  ])
    assert.match(await laptop.rejected(2, args), /--read-only/);
  assert.match((await laptop.run(['export'])).stdout, /\{"end":/);
});

test('worker stop waits for running jobs, requeues them with --force, and reports what it did', async (t) => {
  const { there, laptop } = await both(t);
  const first = await there.worker();
  const [{ id = '' } = {}] = await there.json<{ id: string }[]>('worker', 'list');
  const job = await there.enqueue('sleep 300');
  await there.untilState(job, 'processing');
  assert.match(await laptop.rejected(3, ['worker', 'stop', 'nobody']), /worker 'nobody' not found/);
  assert.match(await laptop.rejected(3, ['worker', 'stop', '--host', 'moon']), /moon/);
  assert.equal(await laptop.text('worker', 'stop', '--no-wait'), `${id}  stopping\n`);
  const late = await laptop.run(['worker', 'stop', '--timeout', '0.3']);
  assert.deepEqual([late.code, late.stdout], [1, '']);
  assert.match(late.stderr, /1 worker still running/);
  assert.deepEqual(
    (await laptop.json('worker', 'stop', '--force')).map((one: { state: string }) => one.state),
    ['stopped'],
  );
  assert.equal((await there.json('show', job)).state, 'pending');
  assert.equal(await laptop.text('worker', 'stop'), 'no worker is running\n');
  await first.leave();
});

test('if workers run on several hosts, one host must be named', async (t) => {
  const { there, laptop } = await both(t);
  const [a, b] = [await there.worker(), await there.start(['worker', 'run'], { env: { QUEUECTL_HOST: 'b' } })];
  await until('both are there', async () => (await there.json<unknown[]>('worker', 'list')).length === 2);
  assert.match(await laptop.rejected(2, ['worker', 'stop']), /several hosts \(.*b.*\); choose with --host/);
  assert.match(await laptop.text('worker', 'stop', '--host', 'b'), /^w\w+ {2}stopped\n$/);
  assert.match(await laptop.text('worker', 'stop', '--all-hosts'), /^w\w+ {2}stopped\n$/);
  await Promise.all([a.leave(), b.ended]);
});

test('an export through a server equals a local export, and can be imported through another server', async (t) => {
  const { there, here, laptop } = await both(t);
  await there.finished('-e', 'A=1', 'echo out; exit 3');
  await there.run(['enqueue', '-'], { input: manyCommands(1500) });
  await there.prepare('schedule', 'add', 'tick', '--every', '1h', 'true');
  const [near, far] = [`${there.folder}/near`, `${here.folder}/far`];
  await there.text('export', '--all', near);
  assert.match(await laptop.text('export', '--all', far), /^1,501 jobs, 1 attempt, 1 schedule exported to /);
  assert.deepEqual(linesOf(far), linesOf(near));
  assert.match(await laptop.rejected(4, ['export', far]), /already exists/);
  assert.match(await laptop.text('export', '--state', 'dead', '--force', far), /^1 job exported to /);
  const other = await both(t);
  assert.match(await other.laptop.text('import', near), /^1,501 jobs, 1 attempt, 1 schedule imported$/m);
  await other.there.text('export', '--all', far, '--force');
  assert.deepEqual(linesOf(far), linesOf(near));
  assert.match(await other.laptop.rejected(4, ['import', near]), /already exists; nothing was imported/);
  assert.match(
    await other.laptop.text('import', '--skip-existing', near),
    /^0 jobs imported; 1,501 jobs skipped because the ID exists$/m,
  );
  const cut = await other.laptop.run(['import', '-'], fs.readFileSync(near, 'utf8').slice(0, 5000));
  assert.equal(cut.code, 2);
  assert.match(cut.stderr, /cannot import 'stdin': the file is truncated at line /);
});

test('an interrupted export leaves no file', async (t) => {
  const { there, here, server } = await both(t);
  await there.run(['enqueue', '-'], { input: manyCommands(3000) });
  const way = await Detour.open(t, server.url);
  const laptop = new Laptop(here, { url: way.url, token: server.token });
  let came = 0;
  way.toClient = (data) => {
    came += data.length;
    if (came > 200_000) void way.reject();
    return true;
  };
  assert.match(await laptop.rejected(5, ['export', 'cut.ndjson']), /the connection was lost/);
  assert.deepEqual(
    here.files().filter((name) => name.includes('cut')),
    [],
  );
});

/** Long enough for several requests. */
const LONG = 'x'.repeat(2000);
const longLines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{"id":"l${i}","command":"echo ${LONG}"}\n`).join('');

test('a file too large for one request is sent in several, each job once', async (t) => {
  const { there, here, server } = await both(t);
  const way = await Detour.open(t, server.url);
  const laptop = new Laptop(here, { url: way.url, token: server.token });
  let answers = 0;
  way.toClient = (data) => {
    if (!data.includes('HTTP/1.1 201') || ++answers !== 3) return true;
    void way.reject().then(() => way.pass()); // the third answer never comes
    return false;
  };
  const file = here.write('large.ndjson', longLines(5000));
  assert.ok(fs.statSync(file).size > 8 * 1024 * 1024);
  const { code, stdout } = await laptop.run(['enqueue', '--file', file]);
  assert.deepEqual([code, stdout], [0, '5,000 jobs enqueued\n']);
  assert.ok(answers > 5, `${answers}`);
  assert.equal((await there.json<{ pending: number }>('status')).pending, 5000);
});

test('a file sent in several requests reports what was stored, and bad lines and duplicate IDs change nothing', async (t) => {
  const { there, here, laptop } = await both(t);
  const lines = longLines(5000);
  const bad = here.write('bad.ndjson', `${lines}{"comand":"true"}\n`);
  assert.match(await laptop.rejected(2, ['enqueue', '--file', bad]), /line 5001: unknown field/);
  const twice = here.write('twice.ndjson', `${lines}{"id":"l7","command":"true"}\n`);
  assert.match(
    await laptop.rejected(4, ['enqueue', '--file', twice]),
    /'l7' already exists \(line 5001\); nothing was enqueued/,
  );
  assert.deepEqual(await there.jobs(), []);
  await there.enqueue('--id', 'l4900', 'true');
  const file = here.write('taken.ndjson', lines);
  const said = await laptop.rejected(1, ['enqueue', '--file', file]);
  const [, jobs = '', line = ''] = /^error: (\d+) jobs enqueued, none from line (\d+) on/.exec(said) ?? [];
  assert.equal(Number(line), Number(jobs) + 1);
  assert.match(said, /'l4900' already exists/);
  assert.equal((await there.json<{ pending: number }>('status')).pending, Number(jobs) + 1);
});

test('jobs that must be stored together are rejected if no request can hold them', async (t) => {
  const { there, here, laptop } = await both(t);
  const jobs = Array.from({ length: 5000 }, (_, i) => ({
    name: `j${i}`,
    command: LONG,
    ...(i > 0 && { after: 'j0' }),
  }));
  const flow = here.write('flow.json', JSON.stringify({ jobs }, null, 1));
  assert.match(
    await laptop.rejected(2, ['enqueue', '--file', flow]),
    /5000 jobs, which must be enqueued together, is \d+\.\d MiB, more than the 8 MiB limit of one HTTP request; nothing was enqueued/,
  );
  assert.deepEqual(await there.jobs(), []);
});

test('recipes, sandboxes and the policy are shown and set through a server', async (t) => {
  const { there, laptop } = await both(t);
  await laptop.text('recipe', 'add', 'hi', '--', 'echo', '{who:string}');
  assert.match(await laptop.rejected(4, ['recipe', 'add', 'hi', '--', 'true']), /'hi' already exists/);
  await laptop.text('recipe', 'add', '--replace', 'hi', '--', 'echo', 'hi {who:string}');
  for (const args of [
    ['recipe', 'list', '--json'],
    ['recipe', 'show', 'hi'],
    ['policy', 'show'],
    ['sandbox', 'list'],
  ])
    assert.equal(await laptop.text(...args), await there.text(...args), args.join(' '));
  assert.match(await laptop.text('enqueue', '--recipe', 'hi', '--param', 'who=you'), /enqueued/);
  await laptop.text('recipe', 'remove', 'hi');
  assert.deepEqual(await there.json('recipe', 'list'), []);
});

test('completion asks the server, and offers nothing if the server does not respond', async (t) => {
  const { there, here, laptop } = await both(t);
  await there.enqueue('--id', 'job-one', '--group', 'night', '--queue', 'mail', '--delay', '1h', 'true');
  await there.prepare('schedule', 'add', 'tick', '--every', '1h', 'true');
  const offered = async (line: string): Promise<string[]> =>
    (await laptop.text('__complete', '--', line)).split('\n').flatMap((one) => one.split('\t')[0] || []);
  /** A Tab waits for one second at most, which a busy machine may exceed. */
  const offers = (line: string, word: string) =>
    until(`${line}${word}`, async () => (await offered(line)).join() === word);
  await offers('queuectl show job', 'job-one');
  await offers('queuectl group show ', 'night');
  await offers('queuectl schedule pause ', 'tick');
  await offers('queuectl list --queue ', 'mail');
  assert.deepEqual(await offered('queuectl list --db other.db --queue '), [], 'what is typed wins');
  assert.deepEqual(await offered('queuectl --server http://127.0.0.1:1 stat'), ['status']);
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const nobody = new Laptop(here, { url, token: 'x' });
  assert.equal(await nobody.text('__complete', '--', 'queuectl show '), '');
});
