// A collector of traces on loopback: takes what it understands, remembers what was wrong, and answers as it is told.

import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { readExport, type Span } from './otlp.ts';
import type { Reply } from './receiver.ts';

export interface Collector {
  /** What makes a worker send its traces here, at once. */
  readonly env: Readonly<Record<string, string>>;
  /** What it has taken. */
  readonly spans: Span[];
  /** Of each request. */
  readonly headers: IncomingHttpHeaders[];
  /** How often each span came, by its id. */
  timesSeen(spanId: string): number;
}

/** `reply` is asked with how many requests there were before; null: it never answers. What it rejects, it does not take. */
export async function newCollector(
  t: TestContext,
  reply: (before: number) => Reply | null = () => ({ status: 200, body: '{}' }),
): Promise<Collector> {
  const spans: Span[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const problems: unknown[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const answer = reply(headers.length);
    headers.push(request.headers);
    try {
      const { method, url } = request;
      const type = request.headers['content-type'];
      assert.deepEqual([method, url, type], ['POST', '/v1/traces', 'application/json']);
      const read = readExport(Buffer.concat(parts).toString());
      if (answer && answer.status < 300) spans.push(...read);
    } catch (error) {
      problems.push(error);
    }
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    assert.deepEqual(problems, []);
  });
  const { port } = server.address() as AddressInfo;
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '10' },
    spans,
    headers,
    timesSeen: (id) => spans.filter(({ spanId }) => spanId === id).length,
  };
}
