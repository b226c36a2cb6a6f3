// Answers on their way out, each with the headers that keep a browser safe. Data becomes JSON; where there is a socket it is
// written there as it is: a Response would be made only to be taken apart again, which costs a small request dearly.

import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Answer, Json } from '../route.ts';

/** What can be written to without a Response. */
export type Outgoing = Pick<ServerResponse, 'writeHead' | 'end' | 'destroy'>;

/** `outgoing`: of a request that came over a socket and wants a body. */
export function responseOf(answer: Answer, outgoing?: Outgoing): Response {
  if (answer instanceof Response) return answer;
  if (outgoing && answer.status !== 204) return sent(answer, outgoing);
  const { status = 200, json, headers } = answer;
  const init = { status, headers: { 'cache-control': 'no-store', ...headers } };
  return status === 204 ? new Response(null, init) : Response.json(json, init);
}

/** A text, not bytes: Node sends it in one piece with the head. */
function sent({ status = 200, json, headers }: Json, outgoing: Outgoing): Response {
  const text = JSON.stringify(json);
  outgoing.writeHead(status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(text), ...headers });
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

/** What says of itself what it is good for keeps to that. */
export function withSafeHeaders(response: Response): Response {
  if (response === RESPONSE_ALREADY_SENT) return response;
  for (const [name, value] of Object.entries(SAFE_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** Nothing from elsewhere, in no frame, and nothing is what it does not say it is. */
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
