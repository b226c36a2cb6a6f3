// Sends one request with spans as JSON to a collector. Time is bounded, and only the beginning of the response is read.

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const READ_BYTES = 16_384;

export interface Posted {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

export interface Poster {
  /** Rejects if there is no response. */
  post(body: string): Promise<Posted>;
  /** Aborts requests in progress. */
  close(): void;
}

export interface Destination {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export function makePoster({ endpoint, headers, timeoutMs }: Destination): Poster {
  const isTls = endpoint.protocol === 'https:';
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  const request = isTls ? httpsRequest : httpRequest;
  const closing = new AbortController();
  const send = (body: string, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: { ...headers, ...headersOf(body) }, agent, signal };
      request(endpoint, options, resolve).on('error', reject).end(body);
    });
  return {
    post: async (body) => {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return await answerOf(await send(body, AbortSignal.any([late, closing.signal])));
      } catch (error) {
        throw late.aborted ? new Error(`no response within ${timeoutMs} ms`) : error;
      }
    },
    close: () => {
      closing.abort();
      agent.destroy();
    },
  };
}

const headersOf = (body: string): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'user-agent': 'queuectl',
});

async function answerOf(response: IncomingMessage): Promise<Posted> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= READ_BYTES) break;
  }
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body: Buffer.concat(chunks).toString(),
  };
}
