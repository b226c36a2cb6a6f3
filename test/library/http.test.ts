// connect: the same over HTTP; and what only a network can do to it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageIn } from '../../src/server/http/built-page.ts';
import { connect } from '../../src/library/client.ts';
import { openQueue } from '../../src/library/index.ts';
import { Queue } from '../../src/queue/queue.ts';
import { serveQueue } from '../../src/server/serve.ts';
import { startServer } from '../server/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { isError, testLibrary, workOn } from './behaviour.ts';

testLibrary('HTTP', async (t) => {
  const db = join(temporaryFolder(t), 'queue.db');
  const { url, token } = await startServer(t, { db });
  const queue = connect(url, { token });
  t.after(() => queue.close());
  const beside = await openQueue({ db });
  t.after(() => beside.close());
  return { queue, work: workOn(t, beside) };
});

test('a URL as printed by serve includes the token', async (t) => {
  const { url, token } = await startServer(t);
  assert.equal((await connect(`${url}/#token=${token}`).status()).pending, 0);
});

test('a missing or wrong token is answered with what to do', async (t) => {
  const { url } = await startServer(t);
  await assert.rejects(connect(url, { token: '' }).status(), /requires a token/);
  await assert.rejects(connect(url, { token: 'wrong' }).status(), (error) => {
    assert.match((error as Error).message, /rejected the token/);
    return isError('not_logged_in')(error);
  });
});

test("a forbidden operation is reported with the server's message", async (t) => {
  const { queue, url } = await startServer(t, { readOnly: true });
  const { secret } = await (await queue.accounts()).addToken({ name: 'x', role: 'viewer' }, 'me');
  await assert.rejects(connect(url, { token: secret }).enqueue({ command: 'x' }), isError('not_allowed'));
  const { secret: all } = await (await queue.accounts()).addToken({ name: 'y', role: 'admin' }, 'me');
  await assert.rejects(connect(url, { token: all }).enqueue({ command: 'x' }), isError('serves_read_only'));
});

test('a missing server and a foreign server are distinguished from a queuectl server', async (t) => {
  await assert.rejects(connect('http://127.0.0.1:1').status(), isError('server_unreachable'));
  assert.throws(() => connect('ftp://somewhere'), isError('usage'));
  assert.throws(
    () => connect('http://user:secret@somewhere'),
    (error) => {
      assert.doesNotMatch((error as Error).message, /secret/);
      return isError('usage')(error);
    },
  );
  const other = createServer((_, response) => response.end('<html>hello'));
  t.after(() => other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  await assert.rejects(connect(`http://127.0.0.1:${port}`).status(), isError('not_a_server'));
});

test('a stream continues at its position when the server restarts', async (t) => {
  const folder = temporaryFolder(t);
  const db = join(folder, 'queue.db');
  const beside = await openQueue({ db });
  t.after(() => beside.close());
  const serve = async (port: number) => {
    const queue = await Queue.open({ db });
    const page = pageIn(join(import.meta.dirname, '../../dist/page'));
    const serving = await serveQueue(queue, { host: '127.0.0.1', port, page, version: 'x', log: () => {} });
    return { ...serving, stop: () => serving.close(0).then(() => queue.close()) };
  };
  const before = await serve(0);
  const client = connect(before.address);
  const go = join(folder, 'go');
  const { id } = await beside.enqueue({
    command: `echo one; until [ -e '${go}' ]; do sleep 0.05; done; echo two`,
  });
  await workOn(t, beside)();
  let text = '';
  const following = (async () => {
    for await (const chunk of client.jobs.follow(id)) text += chunk.text;
  })();
  await until('the first line is there', () => text === 'one\n');
  await before.stop();
  await beside.enqueue({ command: `touch '${go}'` });
  await beside.jobs.wait(id);
  const after = await serve(Number(new URL(before.url).port));
  t.after(after.stop);
  await following;
  assert.equal(text, 'one\ntwo\n');
  await client.close();
});
