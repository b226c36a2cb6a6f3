// What an address means, what libpq's variables add to it, and that a password is never said again.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { placeOf } from '../../src/store/location.ts';
import { passwordFromFile } from '../../src/store/postgres/session/passfile.ts';
import { parseTarget } from '../../src/store/postgres/session/target.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rejected } from '../support/rejection.ts';

const parse = (address: string, environment: Record<string, string> = {}) =>
  parseTarget(address, { PGUSER: 'me', HOME: '/home/me', ...environment });

test('a URL contains every option', () => {
  const target = parse(
    'postgresql://al%20ice:p%40ss@db.example:6432/my%2Fdb?schema=Q&connect_timeout=9&sslmode=verify-full',
  );
  const { host, port, database, user, password, schema, connectTimeoutMs, sslMode } = target;
  assert.deepEqual(
    [host, port, database, user, password, schema, connectTimeoutMs, sslMode],
    ['db.example', 6432, 'my/db', 'al ice', 'p@ss', 'Q', 9000, 'verify-full'],
  );
});

test('jobs get the URL without the password, completed from the variables', () => {
  const forJobs = (address: string, environment: Record<string, string> = {}): string =>
    placeOf(address, { PGUSER: 'me', HOME: '/home/me', ...environment }).dbForJobs;
  assert.equal(
    forJobs('postgres://al%20ice:p%40ss@db:6432/d?schema=Q%20r&sslmode=require&connect_timeout=9'),
    'postgres://al%20ice@db:6432/d?schema=Q+r&sslmode=require&connect_timeout=9',
  );
  assert.equal(forJobs('postgres://db/d?password=secret&user=bob'), 'postgres://bob@db:5432/d');
  const elsewhere = { PGHOST: '/run/pg', PGPASSWORD: 'secret', PGDATABASE: 'd' };
  assert.equal(
    forJobs('postgres://?options=-c%20geqo%3Doff', elsewhere),
    'postgres://me@%2Frun%2Fpg:5432/d?options=-c+geqo%3Doff',
  );
  for (const address of ['postgres://u:p@h/d', 'postgres://?host=%2Frun%2Fpg', 'postgres://[::1]:1/d?schema=x']) {
    const { password, ...place } = parse(address);
    assert.deepEqual(parse(forJobs(address)), { ...place, password: null }, address);
  }
  assert.equal(placeOf('q.db', {}).dbForJobs, path.resolve('q.db'));
});

test("missing parts come from the variables, then from libpq's defaults", () => {
  const variables = {
    PGHOST: '/run/pg',
    PGPORT: '7777',
    PGUSER: 'bob',
    PGPASSWORD: 'pw',
    PGDATABASE: 'd',
    PGSSLMODE: 'require',
    PGCONNECT_TIMEOUT: '3',
    PGAPPNAME: 'nightly',
    PGOPTIONS: '-c geqo=off',
  };
  const given = parse('postgres://', variables);
  assert.deepEqual(
    [given.host, given.port, given.user, given.password, given.database, given.sslMode],
    ['/run/pg', 7777, 'bob', 'pw', 'd', 'require'],
  );
  assert.deepEqual([given.connectTimeoutMs, given.applicationName, given.options], [3000, 'nightly', '-c geqo=off']);
  const plain = parse('postgres://');
  assert.deepEqual(
    [plain.host, plain.port, plain.user, plain.password, plain.database, plain.schema, plain.sslMode],
    ['localhost', 5432, 'me', null, 'me', 'queuectl', 'prefer'],
  );
  assert.deepEqual([plain.connectTimeoutMs, plain.applicationName], [5000, 'queuectl']);
});

test('the directory of a Unix socket is a host in both notations', () => {
  for (const address of ['postgres://%2Frun%2Fpg/d', 'postgres:///d?host=/run/pg']) {
    assert.deepEqual([parse(address).host, parse(address).database], ['/run/pg', 'd']);
  }
});

test('a URL may name a user, a password or a port without a host', () => {
  const socket = parse('postgres://u:p%40@/d?host=/run/pg');
  assert.deepEqual(
    [socket.host, socket.port, socket.user, socket.password, socket.database],
    ['/run/pg', 5432, 'u', 'p@', 'd'],
  );
  const variable = parse('postgres://u@:5433/d', { PGHOST: 'db' });
  assert.deepEqual([variable.host, variable.port, variable.user], ['db', 5433, 'u']);
  const local = parse('postgres://u@/d');
  assert.deepEqual([local.host, local.user, local.database], ['localhost', 'u', 'd']);
  for (const address of ['postgres://u@', 'postgres://:5433', 'postgres://?port=5433'])
    assert.equal(parse(address).host, 'localhost', address);
});

const SERVICES = `
# a comment
[other]
host=wrong

[nightly]
host = db.example
port=6543
dbname=jobs
user=night
password=p=q
sslmode=require
something_of_libpq=1

[last]
host=wrong
`;

function withServices(t: Parameters<typeof temporaryFolder>[0], name = 'services.conf') {
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, SERVICES);
  return file;
}

test('a service ranks after the URL and before the variables', (t) => {
  const PGSERVICEFILE = withServices(t);
  const { host, port, database, user, password, sslMode } = parse('postgres://', {
    PGSERVICEFILE,
    PGSERVICE: 'nightly',
    PGHOST: 'elsewhere',
    PGUSER: 'me',
  });
  assert.deepEqual(
    [host, port, database, user, password, sslMode],
    ['db.example', 6543, 'jobs', 'night', 'p=q', 'require'],
  );
  const said = parse('postgres://alice@/d?service=nightly', { PGSERVICEFILE, PGSERVICE: 'other' });
  assert.deepEqual([said.host, said.user, said.database], ['db.example', 'alice', 'd']);
});

test("a service is looked up in the user's file, then in the system's file", (t) => {
  const file = withServices(t, '.pg_service.conf');
  assert.equal(parse('postgres://?service=nightly', { HOME: path.dirname(file) }).host, 'db.example');
  const machine = withServices(t, 'pg_service.conf');
  const environment = { HOME: '/nonexistent', PGSYSCONFDIR: path.dirname(machine) };
  assert.equal(parse('postgres://?service=nightly', environment).host, 'db.example');
});

test('an unknown service is rejected with the files that were read', (t) => {
  const PGSERVICEFILE = withServices(t);
  const { message, exitCode } = rejected('usage', () => parse('postgres://?service=none', { PGSERVICEFILE }));
  assert.match(message, /^service 'none' not found in .*services\.conf$/);
  assert.equal(exitCode, 2);
});

test('a keyword string is rejected, and not used as a file name', () => {
  for (const string of ['host=db dbname=jobs password=secret', ' dbname = jobs', 'service=nightly']) {
    const { message, hint } = rejected('usage', () => placeOf(string, {}));
    assert.match(String(hint), /postgres:\/\/user@host/);
    assert.doesNotMatch(`${message} ${hint}`, /secret/);
  }
  assert.equal(path.basename(placeOf('./host=db', {}).file ?? ''), 'host=db');
});

test('an IPv6 address has brackets', () => {
  const target = parse('postgres://[::1]:5433/d');
  assert.deepEqual([target.host, target.port], ['::1', 5433]);
  assert.match(target.name, /@\[::1\]:5433\/d$/);
});

test('an invalid URL is rejected without its password', () => {
  const bad = [
    'postgres://u:secret@host:port/d',
    'postgres://u:123#secret@host/d',
    'postgres://u:secret@host/d?colour=red',
    'postgres://u:secret@host/d?sslmode=maybe',
    'postgres://u:secret@host/d?connect_timeout=soon',
    'postgres://u:secret@host/d?port=99999',
    'postgres://u:secret@host/d?schema=',
    'postgres://u:secret@host/d?schema=pg_mine',
    `postgres://u:secret@host/d?schema=${'x'.repeat(64)}`,
    'postgres://u:secret%zz@host/d',
  ];
  for (const address of bad) {
    const { message, hint, exitCode } = rejected('usage', () => parse(address));
    assert.doesNotMatch(`${message} ${hint}`, /secret/, address);
    assert.equal(exitCode, 2);
    assert.ok(hint, address);
  }
});

test('each queue on a server has its own log directory, and its name contains no password', () => {
  const home = { QUEUECTL_HOME: '/srv/q', PGUSER: 'me' };
  const addresses = [
    'postgres://u:secret@host/d',
    'postgres://u:secret@host:5433/d',
    'postgres://u:secret@other/d',
    'postgres://u:secret@host/e',
    'postgres://u:secret@host/d?schema=Q',
    'postgres://u:secret@host/d?schema=q',
    'postgres://u:secret@host/d?schema=a%2Fb',
    'postgres://u:secret@host/d?schema=a_2f_b',
  ];
  const places = addresses.map((address) => placeOf(address, home));
  assert.equal(new Set(places.map(({ logs }) => logs)).size, addresses.length);
  for (const [i, place] of places.entries()) {
    assert.equal(place.db, addresses[i]);
    assert.equal(place.file, null);
    assert.equal(path.dirname(place.logs), '/srv/q/logs');
    assert.equal(path.dirname(place.run), '/srv/q/run');
    assert.doesNotMatch(`${place.name} ${place.logs} ${place.run}`, /secret/);
  }
  const samePlace = placeOf('postgresql://someone-else@host:5432/d?connect_timeout=1', home);
  assert.equal(samePlace.logs, places[0]?.logs, 'whoever asks');
});

test('other URLs are rejected, and files are files', () => {
  const { message } = rejected('usage', () => placeOf('mysql://u:secret@host/d', {}));
  assert.doesNotMatch(message, /secret/);
  assert.equal(placeOf('/tmp/q.db', {}).file, '/tmp/q.db');
});

test('a password is read from the password file if no other user can read it', (t) => {
  const passFile = path.join(temporaryFolder(t), 'pgpass');
  const lines = ['# comment', 'other:*:*:*:wrong', '*:5432:d\\:b:me:it\\:s\\\\me', '*:*:*:*:last'];
  fs.writeFileSync(passFile, lines.join('\n'), { mode: 0o600 });
  const password = (address: string) => passwordFromFile(parse(address, { PGPASSFILE: passFile }));
  assert.equal(password('postgres://host/d%3Ab'), 'it:s\\me');
  assert.equal(password('postgres://host/d'), 'last');
  assert.equal(password('postgres://other/d'), 'wrong');
  fs.chmodSync(passFile, 0o644);
  assert.equal(password('postgres://host/d'), null);
});
