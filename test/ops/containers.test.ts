// The container recipe, as far as it can be tried without a container engine: what it names is there, its commands are ours, and
// its entry point is really started on a real PostgreSQL with the environment that compose.yaml gives.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { Queue } from '../../src/queue/queue.ts';
import { QUEUECTL } from '../cli/support.ts';
import { repository } from '../setup/clone.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ask, freePort, sharedServer } from '../support/postgres.ts';
import { until } from '../support/until.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<'database' | 'server' | 'worker', Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const ops = path.join(repository, 'ops');
const read = (file: string): string => fs.readFileSync(path.join(ops, file), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const { server, worker } = compose.services;

/** Instructions with their words; a line that ends in a backslash goes on. */
const instructions = read('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));

const all = (name: string): string[] => instructions.flatMap((one) => (one.name === name ? [one.rest] : []));
const last = (name: string): string => all(name).at(-1) ?? '';
const listIn = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];

describe('the Containerfile', () => {
  test('has two stages, ends as a non-root user, and downloads only packages', () => {
    assert.equal(all('FROM').length, 2);
    const [node = '', base = ''] = all('ARG');
    assert.match(node, /^NODE=node:\d+-slim$/, 'a version, and never the latest one');
    assert.match(base, /^BASE=debian:\d+-slim$/, 'a version, and never the latest one');
    assert.ok(
      instructions.findLastIndex(({ name }) => name === 'USER') >
        instructions.findLastIndex(({ name }) => name === 'RUN'),
    );
    assert.equal(last('USER'), '1000:1000');
    assert.deepEqual(all('ADD'), []);
    assert.doesNotMatch(read('Containerfile'), /curl|wget|sudo|--privileged|apt-get upgrade/);
  });

  test('uses a Node version that is new enough', () => {
    const { engines } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
    const [wanted, given] = [engines.node, all('ARG')[0]].map((text) => Number(/\d+/.exec(text)?.[0]));
    assert.ok((given ?? 0) >= (wanted ?? Infinity), `${given} for ${wanted}`);
  });

  test('copies existing files, and omits nothing that the package is built from', () => {
    const copied = all('COPY').filter((line) => !line.startsWith('--from'));
    for (const source of copied.flatMap((line) =>
      line
        .split(' ')
        .filter((word) => !word.startsWith('--'))
        .slice(0, -1),
    ))
      assert.ok(fs.existsSync(path.join(repository, source)), source);
    const ignored = read('Containerfile.dockerignore')
      .split('\n')
      .filter((line) => /^\w/.test(line));
    const lists = fs.globSync(path.join(repository, 'dist/sources.*'));
    const sources = lists.flatMap((file) => fs.readFileSync(file, 'utf8').match(/[\w./-]+\.\w+/g) ?? []);
    assert.ok(sources.length > 100);
    for (const source of [
      ...sources,
      'ops/container-entry.sh',
      'packaging/install.sh',
      'scripts/release/release.ts',
      'README.md',
      'LICENSE',
      'scripts/prepare',
      'bin/queuectl',
    ])
      assert.ok(!ignored.some((name) => source === name || source.startsWith(`${name}/`)), source);
  });

  test('starts with the entry point, which is executable', () => {
    assert.ok(all('COPY').includes('--chmod=755 ops/container-entry.sh /usr/local/bin/container-entry'));
    assert.ok(all('COPY').includes('--chmod=755 ops/container-health.sh /usr/local/bin/container-health'));
    assert.deepEqual(listIn(last('ENTRYPOINT')), ['container-entry']);
    assert.equal(spawnSync('sh', ['-n', path.join(ops, 'container-entry.sh')]).status, 0);
    assert.equal(spawnSync('bash', ['-n', path.join(ops, 'container-health.sh')]).status, 0);
  });

  test('serves, exposes and checks one port', () => {
    const port = last('EXPOSE');
    assert.equal(optionOf(listIn(last('CMD')), '--port'), port);
    assert.deepEqual(listIn(last('HEALTHCHECK')), ['container-health', 'server']);
    assert.ok(read('container-health.sh').includes(`PORT:-${port}`));
    assert.deepEqual(server.command, listIn(last('CMD')));
    assert.deepEqual(server.ports, [`127.0.0.1:${port}:${port}`], 'for this machine alone');
  });
});

describe('the compose file', () => {
  test('names existing files, secrets, volumes and services', () => {
    for (const { build } of [server, worker]) {
      assert.ok(build);
      assert.equal(path.join(ops, build.context), `${repository}`.replace(/\/$/, ''));
      assert.ok(fs.existsSync(path.join(ops, build.context, build.dockerfile)));
    }
    for (const service of Object.values(compose.services)) {
      for (const secret of service.secrets ?? []) assert.ok(compose.secrets[secret], secret);
      for (const volume of service.volumes ?? []) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume);
      for (const name of Object.keys(service.depends_on ?? {})) assert.ok(name in compose.services, name);
      assert.match(service.image, /^queuectl$|:\d/, 'a version, and never the latest one');
      assert.ok(service.stop_grace_period);
    }
    const ignored = fs.readFileSync(path.join(repository, '.gitignore'), 'utf8').split('\n');
    for (const { file } of Object.values(compose.secrets))
      assert.ok(ignored.includes(`${path.join('ops', path.dirname(file))}/`), `${file} must not be committed`);
  });

  test('waits for a healthy database, and puts no password into an environment', () => {
    for (const { depends_on, environment = {} } of [server, worker]) {
      assert.equal(depends_on?.database?.condition, 'service_healthy');
      assert.ok(
        !Object.entries(environment).some(([name, value]) => /^PGPASSWORD$/.test(name) || /\/\/\w+:/.test(value)),
      );
    }
    assert.ok(compose.services.database.healthcheck?.test?.includes('pg_isready'));
    assert.deepEqual(
      worker.healthcheck?.test,
      ['CMD', 'container-health', 'worker'],
      'the check of the image is about the server',
    );
  });

  test('uses existing commands and options', () => {
    for (const { command = [] } of [server, worker]) {
      const at = command.findIndex((word) => word.startsWith('--'));
      const { stdout, status } = spawnSync(QUEUECTL, [...command.slice(0, at), '--help'], {
        encoding: 'utf8',
      });
      assert.equal(status, 0);
      for (const flag of command.filter((word) => word.startsWith('--')))
        assert.match(stdout, new RegExp(`${flag}\\b`));
    }
  });
});

const optionOf = (command: readonly string[], name: string): string => command[command.indexOf(name) + 1] ?? '';

const environmentFor = (service: Service, folder: string, db: string, port?: string): NodeJS.ProcessEnv => ({
  ...service.environment,
  QUEUECTL_DB: db,
  DATABASE_PASSWORD_FILE: path.join(folder, 'database-password'),
  QUEUECTL_HOME: path.join(folder, 'data'),
  HOME: path.join(folder, 'home'),
  PATH: `${path.dirname(QUEUECTL)}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
  ...(port !== undefined && { PORT: port }),
});

/** The entry point as a container would start it: with an environment of its own, and a home that is empty. */
function enter(service: Service, folder: string, db: string, command: readonly string[]): ChildProcess {
  const home = path.join(folder, 'home');
  fs.mkdirSync(home, { recursive: true });
  return spawn(path.join(ops, 'container-entry.sh'), command, {
    cwd: folder,
    env: environmentFor(service, folder, db),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('the entry point serves and works on PostgreSQL with a password from a file, and stops on request', async (t) => {
  const folder = temporaryFolder(t);
  const url = await sharedServer();
  const [role, password] = [`container_${process.pid}`, 'a:b\\c"d $e'];
  await ask(url, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await ask(url, `CREATE DATABASE ${role} OWNER ${role}`);
  fs.writeFileSync(path.join(folder, 'database-password'), `${password}\n`, { mode: 0o644 });
  const address = new URL(url);
  const db = `postgres://${role}@${address.host}/${role}`;
  const port = String(await freePort());
  const here = (word: string): string => ({ '0.0.0.0': '127.0.0.1', '7777': port })[word] ?? word;

  const serving = enter(server, folder, db, (server.command ?? []).map(here));
  let printed = '';
  serving.stdout?.on('data', (text) => {
    printed += text;
  });
  const working = enter(worker, folder, db, worker.command ?? []);
  const ended = [serving, working].map((child) => once(child, 'exit'));
  try {
    const health = (service: Service, check: string): number | null =>
      spawnSync(path.join(ops, 'container-health.sh'), [check], { env: environmentFor(service, folder, db, port) })
        .status;
    await until('it is healthy', () => health(server, 'server') === 0);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    assert.equal(ready.status, 200);
    assert.equal(fs.statSync(path.join(folder, 'home/.pgpass')).mode & 0o777, 0o600);

    const queue = await Queue.open({ db, environment: { HOME: path.join(folder, 'home') }, cwd: folder });
    const wait = 'echo began >> beats; until [ -e end ]; do sleep 0.05; done; env > seen';
    await queue.enqueue([{ id: 'a', command: wait }]);
    await until('it runs', () => fs.existsSync(path.join(folder, 'beats')));
    await until('the worker is listed', () => health(worker, 'worker') === 0);
    assert.equal(health(worker, 'worker-lost'), 0);
    for (const child of [serving, working]) child.kill('SIGTERM');
    fs.writeFileSync(path.join(folder, 'end'), '');
    assert.deepEqual(await Promise.all(ended), [
      [0, null],
      [0, null],
    ]);
    assert.equal((await queue.find('a')).state, 'completed', 'the running job finished first');
    await queue.close();
    assert.equal(health(server, 'server'), 1, 'nobody is there any more');
    assert.equal(printed, '', 'no token in the log of a container');
    assert.doesNotMatch(fs.readFileSync(path.join(folder, 'seen'), 'utf8'), /a:b\\c/, 'the job has no password');
  } finally {
    for (const child of [serving, working]) child.kill('SIGKILL');
    await ask(url, `DROP DATABASE IF EXISTS ${role} WITH (FORCE)`);
    await ask(url, `DROP ROLE IF EXISTS ${role}`);
  }
});
