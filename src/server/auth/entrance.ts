// Where a server may be reached without anybody listening in, and what a request says of the way it came.

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
  /** Nobody has to say who it is. */
  readonly isOpen: boolean;
}

/** Off loopback only where others cannot listen in, and never without a token. */
export function checkExposure({ host, tls, behindProxy, isOpen }: Exposure): void {
  if (isOpen && (behindProxy || !isLoopback(host)))
    throw new QueueError('unsafe_address', {
      host: behindProxy ? 'the proxy' : host,
      also: ', and with --no-auth do with your queue what they like',
      hint: 'leave out --no-auth, or listen on 127.0.0.1 without --behind-proxy',
    });
  if (isLoopback(host) || tls || behindProxy) return;
  throw new QueueError('unsafe_address', {
    host,
    also: '',
    hint: 'add --tls-cert FILE --tls-key FILE, or --behind-proxy if something before it does TLS',
  });
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** Read and tried once, before anybody is told an address. */
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
 * What a proxy says is believed only where one was announced: anybody can send such headers. The nearest proxy has written the
 * last word of each; those before it may be made up.
 */
export const wayIn = (port: () => number, tls: boolean, behindProxy: boolean): Way => ({
  entranceOf: ({ headers }) => ({
    port: port(),
    isSecure: tls || (behindProxy && lastOf(headers.get('x-forwarded-proto')) === 'https'),
  }),
  addressOf: ({ headers }, peer) => (behindProxy && ipIn(lastOf(headers.get('x-forwarded-for')))) || peer,
});

/** Some proxies add a port, and quote or bracket an IPv6 address. '' if it is no address. */
function ipIn(text: string): string {
  const bare = text.replace(/^"|"$/g, '');
  const [, v6, v4] = /^\[([0-9a-f:.]+)\](?::\d+)?$|^([0-9.]+)(?::\d+)?$/i.exec(bare) ?? [];
  const address = v6 ?? v4 ?? bare;
  return isIP(address) === 0 ? '' : address.toLowerCase();
}

const lastOf = (list: string | null): string => list?.split(',').at(-1)?.trim() ?? '';
