// Sends requests over the network, with a token.

import { QueueError } from '../errors/errors.ts';
import type { Transport } from './caller.ts';
import type { ConnectOptions } from './interface.ts';
import { fetchOverSocket } from './socket-fetch.ts';
import { UNIX } from '../job/isolation/job-token.ts';

/** Timeout for the response headers; the body may take longer. */
const ANSWER_WITHIN_MS = 30_000;
const BETWEEN_TRIES_MS = 250;

export interface Address {
  /** Base URL such as https://host:7777; for a socket, unix:/path for display. */
  readonly url: string;
  /** Path of a Unix socket; null for a network address. */
  readonly socket: string | null;
  /** The token after the # of an address that `queuectl serve` prints. */
  readonly token: string | undefined;
}

/** Throws usage if the address is invalid. */
export function addressOf(given: string): Address {
  if (given.startsWith(UNIX)) return socketAddress(given);
  const text = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (!parsed || !isHttp || parsed.username !== '' || parsed.search !== '')
    throw new QueueError('usage', {
      problem: `'${withoutSecrets(given)}' is not the address of a server`,
      hint: 'use an address such as http://127.0.0.1:7777 or https://queue.example.com',
    });
  const url = `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
  return { url, socket: null, token: tokenBehind(parsed.hash) };
}

const tokenBehind = (hash: string): string | undefined => /^#token=(.+)$/.exec(hash)?.[1];

/** Paths are used unchanged, without URL decoding. */
function socketAddress(given: string): Address {
  const socket = given.slice(UNIX.length);
  if (socket.startsWith('/') && !socket.includes('\0')) return { url: given, socket, token: undefined };
  throw new QueueError('usage', {
    problem: `'${given}' is not the address of a server`,
    hint: 'use unix: and the absolute path of the socket',
  });
}

const withoutSecrets = (given: string): string => given.replace(/#.*/s, '').replace(/\/\/[^/@]*@/, '//');

export function overHttp(
  { url, socket }: Pick<Address, 'url' | 'socket'>,
  token: string,
  options: ConnectOptions = {},
): Transport {
  const { patienceSeconds: { request: patience = 0 } = {} } = options;
  const fetch = options.fetch ?? (socket === null ? globalThis.fetch : fetchOverSocket(socket));
  const base = socket === null ? url : 'http://localhost';
  const credentials = token === '' ? {} : { authorization: `Bearer ${token}` };
  return {
    name: url,
    hasToken: token !== '',
    send: async (path, init) => {
      const until = performance.now() + patience * 1000;
      for (;;) {
        const slow = new AbortController();
        const timer = setTimeout(() => slow.abort(), ANSWER_WITHIN_MS);
        const signal = init.signal ? AbortSignal.any([init.signal, slow.signal]) : slow.signal;
        try {
          const headers = { ...(init.headers as Record<string, string>), ...credentials };
          return await fetch(`${base}${path}`, { ...init, headers, signal });
        } catch (error) {
          if (init.signal?.aborted) throw error;
          const problem = slow.signal.aborted ? `no response within ${ANSWER_WITHIN_MS / 1000} s` : reasonOf(error);
          const isOver = performance.now() >= until || !isRejected(error);
          if (isOver) throw new QueueError('server_unreachable', { url, problem }, { cause: error });
        } finally {
          clearTimeout(timer);
        }
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
      }
    },
  };
}

/** True if the server did not receive the request, so that it can be sent again. */
export const isRejected = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes((causeOf(error) as { code?: string }).code ?? '');

/** fetch reports the reason only as the cause of its error. */
function reasonOf(error: unknown): string {
  const { code, message } = causeOf(error) as { code?: string; message?: string };
  return (code && REASONS[code]) || message || String(error);
}

const causeOf = (error: unknown): unknown => (error as { cause?: unknown }).cause ?? error ?? {};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'socket not found; the socket of a job is deleted with its attempt',
  EACCES: 'this user is not allowed to use the socket',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; to trust it, set NODE_EXTRA_CA_CERTS=cert.pem',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is unknown; to trust it, set NODE_EXTRA_CA_CERTS=ca.pem',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS; try http://',
};
