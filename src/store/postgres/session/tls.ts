// Translates libpq's sslmode into options for Node's TLS.

import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { QueueError } from '../../../errors/errors.ts';
import type { Target } from './target.ts';

/** false: no encryption. A Unix socket is never encrypted. */
export function tlsOptions(target: Target): ConnectionOptions | false {
  const { sslMode, host } = target;
  if (host.startsWith('/') || sslMode === 'disable' || sslMode === 'allow') return false;
  return { ...trustOf(target), ...ownCertificate(target) };
}

/** Whether a server without TLS may be used. */
export const mayGoWithout = ({ sslMode }: Target): boolean => sslMode === 'prefer';

/** As with libpq, 'require' checks the certificate if there is a root certificate; otherwise it only encrypts. */
function trustOf(target: Target): ConnectionOptions {
  const isNamed = target.sslMode === 'verify-ca' || target.sslMode === 'verify-full';
  const isChecked = isNamed || (target.sslMode === 'require' && target.sslRootCert !== null);
  if (!isChecked) return { rejectUnauthorized: false };
  return {
    rejectUnauthorized: true,
    ...rootCertificate(target),
    // verify-ca checks who signed the certificate, but not the host name.
    ...(target.sslMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Node's own authorities for 'system', or if there is no file where libpq looks for one. */
function rootCertificate({ sslRootCert }: Target): ConnectionOptions {
  if (sslRootCert === 'system') return {};
  const path = sslRootCert ?? inHome('root.crt');
  return path === null ? {} : { ca: contentOf(path) };
}

function ownCertificate({ sslCert, sslKey }: Target): ConnectionOptions {
  const [cert, key] = [sslCert ?? inHome('postgresql.crt'), sslKey ?? inHome('postgresql.key')];
  return cert === null || key === null ? {} : { cert: contentOf(cert), key: contentOf(key) };
}

function inHome(name: string): string | null {
  const path = join(process.env.HOME || homedir(), '.postgresql', name);
  return statSync(path, { throwIfNoEntry: false }) ? path : null;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const problem = `cannot read the certificate file '${path}': ${(error as Error).message}`;
    throw new QueueError('usage', { problem, hint: 'check sslrootcert, sslcert and sslkey' });
  }
}
