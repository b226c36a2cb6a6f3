// queuectl serve as a process: what it says, what it runs, and how it ends.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { startBrowser } from '../../src/cli/serving/open-browser.ts';
import { openStream } from '../server/live/support.ts';
import { until } from '../support/until.ts';
import { hasTerminals, newQueue, QUEUECTL, type Started, type TestQueue } from './support.ts';

interface Server extends Started {
  readonly url: string;
  readonly token: string;
}

async function serve(t: TestContext, queue: TestQueue, ...args: string[]): Promise<Server> {
  const started = queue.start(['serve', '--port', '0', ...args]);
  t.after(async () => {
    started.kill('SIGKILL');
    await started.ended;
  });
  const address = await until('it says where it is', () => started.stdout().trimEnd());
  const [url = '', token = ''] = address.split('/#token=');
  return { ...started, url, token };
}

/** A job that runs until the file is there. */
const waitingFor = (file: string): string => `echo waiting; until [ -e '${file}' ]; do sleep 0.05; done`;

/** An environment whose browser does this. */
function withBrowser(queue: TestQueue, script: string): { PATH: string } {
  const programs = path.join(queue.folder, 'programs');
  fs.mkdirSync(programs);
  for (const name of ['xdg-open', 'open'])
    fs.writeFileSync(path.join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${programs}:${path.dirname(QUEUECTL)}:${process.env.PATH}` };
}

test('piped, it prints only its address, and a signal stops it in order, open streams included', async (t) => {
  const queue = newQueue(t);
  const server = await serve(t, queue);
  assert.match(server.stdout(), /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+\n$/);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(t, server, '/events?topics=stats')));
  await Promise.all(streams.map((stream) => stream.next('stats')));
  server.kill('SIGTERM');
  const { code, signal, stderr } = await server.ended;
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
  await until('all streams have ended', () => streams.every((stream) => stream.isEnded()));
  assert.ok(streams.every((stream) => stream.text().endsWith('\n\n')));
  await assert.rejects(fetch(`${server.url}/healthz`));
});

test('as JSON it prints its address and account', async (t) => {
  const queue = newQueue(t);
  const started = queue.start(['serve', '--port', '0', '--json']);
  const said = JSON.parse(await until('it says where it is', () => started.stdout()));
  assert.deepEqual(Object.keys(said), ['url', 'address', 'pid']);
  assert.ok(said.address.startsWith(`${said.url}/#token=`));
  process.kill(said.pid, 'SIGINT');
  assert.equal((await started.ended).code, 0);
});

test('on a terminal it prints the URL, how to stop it, and that no worker runs yet', {
  skip: hasTerminals ? false : 'there is no `script` here',
}, async (t) => {
  const queue = newQueue(t);
  const env = withBrowser(queue, 'kill -INT "$PPID"'); // by then it has said all
  const { stdout } = await queue.onTerminal(100, 'queuectl serve --port 0 --open', { env });
  assert.match(stdout, /Serving the queue at\s+\S*http:\/\/127\.0\.0\.1:\d+\/#token=/);
  assert.match(stdout, /Press Ctrl-C to stop the server; workers continue\./);
  assert.match(stdout, /No worker is running yet\. Start one: queuectl worker start/);
});

test('with workers it runs jobs; the first signal lets them finish, and requests are rejected meanwhile', async (t) => {
  const queue = newQueue(t);
  const server = await serve(t, queue, '--workers', '2');
  const file = path.join(queue.folder, 'go');
  await queue.enqueue('--id', 'quick', 'true');
  await queue.enqueue('--id', 'slow', waitingFor(file));
  await queue.untilState('quick', 'completed');
  const stream = await openStream(t, server, '/events?topics=output:slow');
  assert.equal((await stream.next('output')).data.text, 'waiting\n');
  assert.equal((await queue.show('slow')).state, 'processing');
  server.kill('SIGTERM');
  await until('nobody is served', () =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  assert.equal((await queue.show('slow')).state, 'processing');
  fs.writeFileSync(file, '');
  assert.equal((await server.ended).code, 0);
  assert.equal((await queue.show('slow')).state, 'completed');
});

test('a second signal stops the jobs and requeues them', async (t) => {
  const queue = newQueue(t);
  const server = await serve(t, queue, '--workers', '1');
  await queue.enqueue('--id', 'slow', waitingFor(path.join(queue.folder, 'never')));
  await queue.untilState('slow', 'processing');
  server.kill('SIGINT');
  await until('it stops', () => server.stderr().includes('waiting for its jobs to finish'));
  server.kill('SIGINT');
  assert.equal((await server.ended).code, 0);
  assert.equal((await queue.show('slow')).state, 'pending');
});

test('with workers it exits with code 5 if a newer version has migrated the database', async (t) => {
  const queue = newQueue(t);
  const server = await serve(t, queue, '--workers', '1');
  await queue.enqueue('--id', 'quick', 'true');
  await queue.untilState('quick', 'completed');
  const database = new DatabaseSync(path.join(queue.home, 'queue.db'), { timeout: 10_000 });
  database.exec('PRAGMA user_version = 999');
  database.close();
  const { code, stderr } = await server.ended;
  assert.equal(code, 5);
  assert.match(stderr, /error: the worker has stopped, because a newer queuectl has migrated the database\n hint: /);
});

test('it opens a browser without showing the token to other users', async (t) => {
  const queue = newQueue(t);
  const opened = path.join(queue.folder, 'opened');
  const env = withBrowser(queue, `printf '%s' "$1" > '${opened}'.part && mv '${opened}'.part '${opened}'`);
  const started = queue.start(['serve', '--port', '0', '--open'], { env });
  const page = await until('a browser is opened', () => fs.existsSync(opened) && fs.readFileSync(opened, 'utf8'));
  assert.equal(fs.statSync(page).mode & 0o777, 0o600);
  const address = await until('it says where it is', () => started.stdout().trimEnd());
  assert.ok(!page.includes('token'));
  assert.ok(fs.readFileSync(page, 'utf8').includes(`content="0;url=${address}"`));
  started.kill('SIGTERM');
  assert.deepEqual([(await started.ended).code, fs.existsSync(page)], [0, false]);
});

test('without a browser, the server starts without one', async (t) => {
  const queue = newQueue(t);
  const { PATH } = process.env;
  process.env.PATH = queue.folder;
  t.after(() => {
    process.env.PATH = PATH;
  });
  assert.equal(await startBrowser('page.html'), false);
});

test('an invalid number of workers is rejected', async (t) => {
  assert.match(await newQueue(t).rejected(2, ['serve', '--workers', '-1']), /--workers must be from 0 to/);
});
