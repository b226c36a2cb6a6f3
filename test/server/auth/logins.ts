// Logging in as a page does, and asking with the cookie that came of it.

import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import type { Role } from '../../../src/access/role.ts';
import { type Answered, startServer, type TestServer } from '../support.ts';

export const PASSWORD = 'correct horse';

type Login = Readonly<Record<string, string>>;

export const login = (server: TestServer, said: Login, headers: Record<string, string> = {}): Promise<Answered> =>
  server.ask('POST', '/session', said, { authorization: '', 'sec-fetch-site': 'same-origin', ...headers });

/** One server for all tests of a file or a suite. */
export function sharedServer(prepare: (server: TestServer) => Promise<void> = async () => {}): () => TestServer {
  let server: TestServer | undefined;
  const ends: (() => unknown)[] = [];
  before(async () => {
    server = await startServer({ after: (end: () => unknown) => ends.push(end) } as unknown as TestContext);
    await prepare(server);
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => server ?? assert.fail('not started');
}

/** name=value, as a browser sends it back. */
export async function cookieOf(server: TestServer, said: Login): Promise<string> {
  const { status, headers } = await login(server, said);
  assert.equal(status, 204);
  return headers.get('set-cookie')?.split(';')[0] ?? assert.fail('no cookie');
}

/** With a cookie and nothing else. */
export const askWith = (server: TestServer, cookie: string, method: string, path: string, body?: unknown) =>
  server.ask(method, path, body, { authorization: '', cookie, 'sec-fetch-site': 'same-origin' });

export async function tokenFor({ queue }: TestServer, role: Role, name: string = role): Promise<string> {
  return (await (await queue.accounts()).addToken({ name, role }, 'test')).secret;
}

export async function addUser({ queue }: TestServer, name: string, role: Role = 'operator'): Promise<void> {
  await (await queue.accounts()).addUser({ name, role, password: PASSWORD }, 'test');
}
