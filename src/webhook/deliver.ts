// Delivers a webhook: a signed POST to a checked address. The host name is resolved once and the connection uses the
// checked address, so that a second lookup cannot redirect it. Redirects are not followed, because they would bypass
// the check.

import type { LookupAddress } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-addresses.ts';

const WITHIN_MS = 10_000;
const SHOWN_BYTES = 1024;

export interface Delivery {
  readonly address: string;
  readonly body: string;
  readonly event: string;
  /** The same for every retry, so that receivers can detect duplicates. */
  readonly id: string;
  readonly secret: string | null;
  /** Trace context for the receiver; null if there is none. */
  readonly traceparent: string | null;
  readonly allowsPrivate: boolean;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Defaults to ten seconds. */
  readonly withinMs?: number;
}

export interface Answer {
  readonly isAccepted: boolean;
  readonly line: string;
  /** Beginning of the response body. */
  readonly body: Buffer;
}

/** Rejects with an error that explains why nothing was delivered. */
export async function deliver(delivery: Delivery): Promise<Answer> {
  const url = new URL(delivery.address);
  const { withinMs = WITHIN_MS } = delivery;
  const signal = AbortSignal.timeout(withinMs);
  try {
    const response = await post(url, delivery, await optionsFor(url, delivery, signal));
    const body = await beginningOf(response);
    return { isAccepted: isSuccess(response.statusCode), line: lineOf(response), body };
  } catch (error) {
    if (signal.aborted) throw new Error(`no response from ${url.host} within ${withinMs / 1000} s`);
    throw error;
  }
}

async function optionsFor(url: URL, delivery: Delivery, signal: AbortSignal): Promise<RequestOptions> {
  const { Agent } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return {
    method: 'POST',
    headers: await headersOf(delivery),
    lookup: await lookupOf(url, delivery.allowsPrivate),
    agent: new Agent({ keepAlive: false }), // a separate agent, which proxy variables do not affect
    signal,
  };
}

async function headersOf(delivery: Delivery): Promise<Record<string, string>> {
  const { body, event, id, secret, traceparent, timestamp } = delivery;
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'queuectl',
    'queuectl-event': event,
    'queuectl-delivery': id,
    'queuectl-timestamp': String(timestamp),
    ...(traceparent === null ? {} : { traceparent }),
    ...(secret === null ? {} : { 'queuectl-signature': await signatureOf(secret, timestamp, body) }),
  };
}

/** Signs time and body, so that an old delivery cannot be replayed as a new one. */
export async function signatureOf(secret: string, timestamp: number, body: string): Promise<string> {
  const { createHmac } = await import('node:crypto');
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** Returns a lookup that yields only checked addresses. */
async function lookupOf(url: URL, allowsPrivate: boolean): Promise<LookupFunction> {
  const found = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''));
  const rejected = allowsPrivate ? undefined : found.find(({ address }) => isPrivateAddress(address));
  if (rejected)
    throw new Error(
      `${url.hostname} resolves to ${rejected.address}, a private or local address, which webhook_allow_private does not allow`,
    );
  return (_, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, [...found]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

/** Numeric addresses are returned unchanged. */
async function addressesOf(host: string): Promise<LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  try {
    return await lookup(host, { all: true });
  } catch (error) {
    throw new Error(`host '${host}' not found`, { cause: error });
  }
}

async function post(url: URL, { body }: Delivery, options: RequestOptions): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

function lineOf({ statusCode, statusMessage, headers }: IncomingMessage): string {
  const isRedirect = statusCode !== undefined && statusCode >= 300 && statusCode < 400;
  const to = isRedirect ? `: redirects are not followed${headers.location ? ` (to ${headers.location})` : ''}` : '';
  return `returned ${statusCode} ${statusMessage ?? ''}`.trimEnd() + to;
}

/** Does not wait for the rest. */
async function beginningOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= SHOWN_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SHOWN_BYTES);
}
