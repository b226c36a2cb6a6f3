// What sslmode means: encrypted, with a server that is who it says, or not at all.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { addressWith, ask, type Server, sharedServer, startServer } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

describe('a server with a certificate for localhost', { skip: !hasOpenssl && 'needs openssl' }, () => {
  const folder = newFolder();
  const [key, certificate] = [path.join(folder, 'server.key'), path.join(folder, 'server.crt')];
  const other = path.join(folder, 'other.crt');
  let server: Server;

  before(async () => {
    certify('localhost', key, certificate);
    certify('localhost', path.join(folder, 'other.key'), other);
    server = await startServer({ ssl: 'on', ssl_key_file: key, ssl_cert_file: certificate }, (owner) => {
      fs.chmodSync(folder, 0o711);
      if (owner) fs.chownSync(key, owner.uid, owner.gid);
    });
  });
  after(async () => {
    await server.stop();
    removeFolder(folder);
  });

  /** Whether the connection is encrypted, as the server sees it. */
  async function isEncrypted(parameters: Record<string, string>, host = '127.0.0.1'): Promise<boolean> {
    const application_name = `tls ${JSON.stringify(parameters)}`.slice(0, 60);
    const address = new URL(addressWith(server.url, { application_name, ...parameters }));
    address.hostname = host;
    const store = await openPostgres(address.href, { environment: { HOME: folder } });
    try {
      const [row] = await ask(
        server.url,
        'SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = $1',
        [application_name],
      );
      return row?.ssl as boolean;
    } finally {
      await store.close();
    }
  }

  test('is encrypted unless TLS is off', async () => {
    assert.equal(await isEncrypted({}), true);
    assert.equal(await isEncrypted({ sslmode: 'prefer' }), true);
    assert.equal(await isEncrypted({ sslmode: 'require' }), true);
    assert.equal(await isEncrypted({ sslmode: 'disable' }), false);
  });

  test('is trusted by a client with its certificate, under any name or only its own', async () => {
    assert.equal(await isEncrypted({ sslmode: 'verify-ca', sslrootcert: certificate }), true);
    assert.equal(await isEncrypted({ sslmode: 'verify-full', sslrootcert: certificate }, 'localhost'), true);
  });

  test('is rejected by a client without it or with another name', async () => {
    const untrusted: Record<string, string>[] = [
      { sslmode: 'verify-ca' },
      { sslmode: 'verify-ca', sslrootcert: other },
      { sslmode: 'verify-full', sslrootcert: certificate },
      { sslmode: 'require', sslrootcert: other },
    ];
    for (const parameters of untrusted) {
      await rejection('store_unreachable', () => isEncrypted(parameters));
    }
  });

  test('a missing certificate file is named', async () => {
    await rejection('usage', () => isEncrypted({ sslmode: 'verify-ca', sslrootcert: '/nowhere.crt' }));
  });
});

test('a server without TLS is used without it, unless TLS is required', async () => {
  const url = await sharedServer();
  const schema = `tls ${process.pid}`;
  const store = await openPostgres(addressWith(url, { schema, sslmode: 'prefer' }));
  await store.close();
  await ask(url, `DROP SCHEMA "${schema}" CASCADE`);
  for (const sslmode of ['require', 'verify-full']) {
    const { message } = await rejection('store_unreachable', () => openPostgres(addressWith(url, { schema, sslmode })));
    assert.match(message, /requires TLS, but the server does not support it/);
  }
});

/** A certificate that signs itself. */
function certify(name: string, key: string, certificate: string): void {
  const files = ['-keyout', key, '-out', certificate];
  const what = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...what], {
    stdio: 'ignore',
  });
  fs.chmodSync(key, 0o600);
}
