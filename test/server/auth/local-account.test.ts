// Accounts of one machine share its loopback address. One that guesses passwords there keeps no other account out.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { localAccount } from '../../../src/server/auth/local-account.ts';
import { startServer, type TestServer } from '../support.ts';
import { addUser, login, PASSWORD } from './logins.ts';

/** Of the system account that guesses: another one, if the test may become it. */
const GUESSER = process.getuid?.() === 0 ? 65_534 : process.getuid?.();

for (const host of ['127.0.0.1', '::1'])
  test(`the account behind a connection to ${host} is known`, async () => {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = connect(port, host);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    try {
      assert.equal(localAccount(accepted), String(process.getuid?.()));
      assert.equal(localAccount({ remotePort: 1, localPort: port }), null);
      assert.equal(localAccount({}), null);
    } finally {
      client.destroy();
      accepted.destroy();
      server.close();
    }
  });

test('failed logins of a local account throttle that account and no other', async (t) => {
  const server = await startServer(t);
  await addUser(server, 'ann');
  // Waits grow with each guess, so on a machine of any speed one of the next guesses comes too early.
  const guesses = [await guess(server)];
  while (guesses.at(-1) === 401 && guesses.length < 15) guesses.push(await guess(server));
  assert.equal(guesses.at(-1), 429, guesses.join(' '));
  const isOther = GUESSER !== process.getuid?.();
  const { status } = await login(server, { user: 'ann', password: PASSWORD });
  assert.equal(status, isOther ? 204 : 429);
});

/** By a process of its own, with the program that every account can run. */
async function guess({ url }: TestServer): Promise<number> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ user: 'ann', password: 'not the password' });
  const request = [
    'POST /api/v1/session HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Connection: close',
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const script = `exec 3<>/dev/tcp/${hostname}/${port}; printf %s "$1" >&3; cat <&3`;
  const { stdout } = await promisify(execFile)('/bin/bash', ['-c', script, 'bash', request], {
    uid: GUESSER,
    cwd: '/',
  });
  return Number(stdout.split(' ')[1]);
}
