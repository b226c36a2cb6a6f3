// Converts results of routes to responses with security headers. JSON is written to the socket directly if there is
// one, because creating a Response only to take it apart again would slow down small requests.

import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Answer, Json } from '../route.ts';

/** The socket's side of a response. */
export type Outgoing = Pick<ServerResponse, 'writeHead' | 'end' | 'destroy'>;

/** `outgoing` is given if the request came over a socket and expects a body. */
export function responseOf(answer: Answer, outgoing?: Outgoing): Response {
  if (answer instanceof Response) return answer;
  if (outgoing && answer.status !== 204) return sent(answer, outgoing);
  const { status = 200, json, headers } = answer;
  const init = { status, headers: { 'cache-control': 'no-store', ...headers } };
  return status === 204 ? new Response(null, init) : Response.json(json, init);
}

/** Writes a string instead of bytes, so that Node sends it in one packet with the head. */
function sent({ status = 200, json, headers }: Json, outgoing: Outgoing): Response {
  const text = JSON.stringify(json);
  outgoing.writeHead(status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(text), ...headers });
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

/** Adds missing security headers; a response may define stricter ones. */
export function withSafeHeaders(response: Response): Response {
  if (response === RESPONSE_ALREADY_SENT) return response;
  for (const [name, value] of Object.entries(SAFE_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** No foreign resources, no frames, no MIME sniffing. */
const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const JSON_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
};
