// fetch() over a Unix socket, which Node's fetch does not support without a package.

import type { IncomingMessage, RequestOptions } from 'node:http';

type Fetch = typeof globalThis.fetch;

/** Supports what API requests need: method, headers, a text body, a signal. */
export const fetchOverSocket =
  (socketPath: string): Fetch =>
  (input, { method = 'GET', headers, body, signal } = {}) => {
    const { request } = process.getBuiltinModule('node:http');
    const { pathname, search } = new URL(String(input));
    const text = typeof body === 'string' ? body : '';
    const options: RequestOptions = {
      socketPath,
      method,
      path: `${pathname}${search}`,
      headers: { ...(headers as Record<string, string>), 'content-length': Buffer.byteLength(text) },
      ...(signal && { signal }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (incoming) => resolve(responseOf(incoming)));
      sent.on('error', reject);
      sent.end(text);
    });
  };

/** Statuses without a body. */
const EMPTY = [204, 304];

function responseOf(incoming: IncomingMessage): Response {
  const { Readable } = process.getBuiltinModule('node:stream');
  const status = incoming.statusCode ?? 500;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (!EMPTY.includes(status)) return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
  incoming.resume();
  return new Response(null, { status, headers });
}
