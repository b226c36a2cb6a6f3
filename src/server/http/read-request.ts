// Reads path parameters, query, headers and body of a request, and validates each against the route's schema.

import type { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { plainIssue } from '../plain-issue.ts';
import type { Route } from '../route.ts';

export interface Read {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

export async function readRequest(
  route: Route,
  request: Request,
  parameters: Record<string, string>,
  mostBytes: number,
): Promise<Read> {
  return {
    path: route.parameters && checked(route.parameters, parameters, 'the path'),
    query: checkedQuery(route, queryOf(request.url)),
    headers: route.headers && checked(route.headers, headersOf(route.headers, request), 'the headers'),
    body: route.body && checked(route.body, await bodyOf(route, request, mostBytes), 'the body'),
  };
}

const queryOf = (url: string): URLSearchParams =>
  url.includes('?') ? new URL(url).searchParams : new URLSearchParams();

/** Repeated parameters become a list. Rejects unknown ones. */
function checkedQuery({ query }: Route, given: URLSearchParams): unknown {
  const known = Object.keys(query?.shape ?? {});
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  const said = Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  return query && checked(query, said, 'the query');
}

const headersOf = ({ shape }: z.ZodObject, { headers }: Request): unknown =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, headers.get(name) ?? undefined]));

/** Without a content type and a length, the body is missing, which some routes allow. */
async function bodyOf({ isBodyOptional }: Route, request: Request, mostBytes: number): Promise<unknown> {
  const { headers } = request;
  const isEmpty = !headers.has('content-type') && Number(headers.get('content-length') ?? 0) === 0;
  const isNone = isBodyOptional && isEmpty && !headers.has('transfer-encoding');
  return isNone ? {} : jsonOf(request, mostBytes);
}

async function jsonOf(request: Request, mostBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new QueueError('not_json', { type: type || 'none' });
  const text = await textOf(request, mostBytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new QueueError('invalid_json', { problem: (error as Error).message }, { cause: error });
  }
}

/** Node enforces a declared length; without one, the bytes are counted. */
async function textOf(request: Request, most: number): Promise<string> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > most) throw tooLarge(most);
  const bytes = await (length <= most ? request.arrayBuffer() : countedBytes(request, most));
  try {
    return UTF_8.decode(bytes);
  } catch (error) {
    throw new QueueError('invalid_json', { problem: 'it is not UTF-8' }, { cause: error });
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

async function countedBytes(request: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyWithin(request, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields the body. Throws body_too_large, whatever length the headers declare. */
export async function* bodyWithin(request: Request, most: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most);
    yield chunk;
  }
}

const tooLarge = (most: number): QueueError => new QueueError('body_too_large', { most });

/** Throws invalid_request. */
export function checked(schema: z.ZodType, value: unknown, where: string): unknown {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new QueueError('invalid_request', {
    where: placeIn(where, issue?.path ?? []),
    problem: plainIssue(issue, value),
  });
}

const placeIn = (where: string, path: readonly PropertyKey[]): string =>
  path.length === 0 ? where : `'${path.map(String).join('.')}' in ${where}`;

export function unknownParameter(name: string, known: readonly string[]): QueueError {
  const near = nearest(name, known);
  return new QueueError('unknown_parameter', {
    name,
    hint: near
      ? `did you mean '${near}'?`
      : known.length > 0
        ? `known parameters: ${known.join(', ')}`
        : 'no parameters are allowed',
  });
}
