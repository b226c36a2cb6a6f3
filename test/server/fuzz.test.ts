// Requests made from the document to every route, such that fit and such that do not: the server answers each of them, never
// with a mistake of its own, and as its document says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openApiDocument } from '../../src/server/http/openapi.ts';
import { checkAnswer } from './answers.ts';
import { aText, type Schema, valueFor } from './arbitrary.ts';
import { startServer, type TestServer } from './support.ts';

const REQUESTS_A_ROUTE = 15;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(JSON.stringify(openApiDocument('test'))) as Document;
const refs = document.components.schemas;

interface Wanted {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What furnish() puts there. */
const THERE: Readonly<Record<string, string>> = {
  jobs: 'a',
  groups: 'g',
  queues: 'mail',
  schedules: 'backup',
  settings: 'max_retries',
};

function requestsTo(url: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Wanted> {
  const there = fc.constant(THERE[url.split('/')[1] ?? ''] ?? 'a');
  const aName = fc.oneof({ weight: 2, arbitrary: there }, { weight: 1, arbitrary: aText });
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, aName]);
  const inQuery = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => [name, valueFor(schema, refs)]);
  const body = requestBody?.content['application/json']?.schema;
  return fc.record({
    path: fc.record(Object.fromEntries(inPath)),
    query: fc.record(Object.fromEntries(inQuery), { requiredKeys: [] }),
    body: body ? valueFor(body, refs) : fc.constant(undefined),
  }) as fc.Arbitrary<Wanted>;
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function pathOf(path: string, wanted: Wanted): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(String(wanted.path[name])));
  const query = Object.entries(wanted.query).map(([name, value]) => `${name}=${encoded(textOf(value))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

async function send({ url, token }: TestServer, method: string, path: string, body: unknown): Promise<void> {
  const address = new URL(`${url}/api/v1${path}`); // which takes `..` for a step up, as every client does
  const response = await fetch(address, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const type = response.headers.get('content-type');
  assert.ok(response.status < 500, `${response.status}`);
  if (type?.startsWith('text/')) return response.body?.cancel();
  const text = await response.text();
  if (type === 'application/x-ndjson') return;
  const asked = address.pathname.replace(/^\/api\/v1/, '');
  checkAnswer(method, asked, response.status, type, text === '' ? null : JSON.parse(text));
}

/** Something of each noun, so that not every answer is "not found". What is there already is rejected, and stays. */
async function furnish({ ask }: TestServer): Promise<void> {
  await ask('POST', '/jobs', { id: 'a', command: 'true', queue: 'mail', group: 'g' });
  await ask('POST', '/jobs', { id: 'b', command: 'true', depends_on: ['a'] });
  await ask('POST', '/schedules', { name: 'backup', cron: '@daily', job: { command: 'true' } });
}

/** These keep a stream open, or slow down whoever asks too often, and are tested elsewhere. */
const ELSEWHERE = /events|session/i;

test('no valid request causes a server error', async (t) => {
  const server = await startServer(t);
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (ELSEWHERE.test(path)) continue;
      await furnish(server);
      await fc.assert(
        fc.asyncProperty(requestsTo(path, operation), (wanted) =>
          send(server, method, pathOf(path, wanted), wanted.body),
        ),
        { numRuns: REQUESTS_A_ROUTE },
      );
    }
  assert.deepEqual(server.log, []);
});
