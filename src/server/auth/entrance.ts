// Rejects unencrypted public addresses, loads TLS files, and determines how a request reached the server.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { QueueError } from '../../errors/errors.ts';
import type { Way } from './gate.ts';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Exposure {
  readonly host: string;
  readonly tls: boolean;
  readonly behindProxy: boolean;
  /** Requires no authentication. */
  readonly isOpen: boolean;
}

/** Addresses other than loopback need encryption and authentication. Throws unsafe_address. */
export function checkExposure({ host, tls, behindProxy, isOpen }: Exposure): void {
  if (isOpen && (behindProxy || !isLoopback(host)))
    throw new QueueError('unsafe_address', {
      host: behindProxy ? 'the proxy' : host,
      also: ', and --no-auth would let any client control the queue',
      hint: 'omit --no-auth, or listen on 127.0.0.1 without --behind-proxy',
    });
  if (isLoopback(host) || tls || behindProxy) return;
  throw new QueueError('unsafe_address', {
    host,
    also: '',
    hint: 'add --tls-cert FILE --tls-key FILE, or --behind-proxy if a reverse proxy terminates TLS',
  });
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** Reads and tests the files before the server prints its address. */
export function tlsFrom({ cert, key }: TlsFiles): Tls {
  const tls = { cert: read(cert), key: read(key) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw unusable((error as Error).message, error);
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unusable(`'${path}' cannot be read`, error);
  }
}

const unusable = (problem: string, cause: unknown): QueueError =>
  new QueueError('unusable_certificate', { problem }, { cause });

/**
 * Trusts proxy headers only with --behind-proxy, because any client can send them. The last entry of each comes from
 * the nearest proxy; earlier ones may be forged.
 */
export const wayIn = (port: () => number, tls: boolean, behindProxy: boolean): Way => ({
  entranceOf: ({ headers }) => ({
    port: port(),
    isSecure: tls || (behindProxy && lastOf(headers.get('x-forwarded-proto')) === 'https'),
  }),
  addressOf: ({ headers }, peer) => (behindProxy && ipIn(lastOf(headers.get('x-forwarded-for')))) || peer,
});

/** Handles the ports, quotes and brackets that some proxies add. Returns '' if the text is not an address. */
function ipIn(text: string): string {
  const bare = text.replace(/^"|"$/g, '');
  const [, v6, v4] = /^\[([0-9a-f:.]+)\](?::\d+)?$|^([0-9.]+)(?::\d+)?$/i.exec(bare) ?? [];
  const address = v6 ?? v4 ?? bare;
  return isIP(address) === 0 ? '' : address.toLowerCase();
}

const lastOf = (list: string | null): string => list?.split(',').at(-1)?.trim() ?? '';
