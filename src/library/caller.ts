// Sends requests to the HTTP API, over a network or in this process. Returns JSON, or throws the reported error as a
// QueueError.

import { type Details, isErrorCode, QueueError } from '../errors/errors.ts';
import { OPERATIONS, type OperationId } from '../server/operations.ts';
import type { Operations } from '../server/routes/routes.ts';

const API = '/api/v1';

/** Path and query parameters. */
export type Parameters<Id extends OperationId> = Operations[Id]['parameters'];
export type Body<Id extends OperationId> = Operations[Id]['body'];
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** Further parts of a request. */
export interface Extra {
  /** A body that is already JSON. */
  readonly text?: string;
  /** A binary body. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export type Request<Id extends OperationId> = [
  id: Id,
  parameters: Parameters<Id>,
  body?: Body<Id> | undefined,
  extra?: Extra,
];

/** Where requests go. Throws server_unreachable. */
export interface Transport {
  /** For display. */
  readonly name: string;
  readonly hasToken: boolean;
  send(path: string, init: RequestInit): Promise<Response>;
}

export class Caller {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Performs an operation and returns its result, or null if the response has no body. */
  async call<Id extends OperationId>(...request: Request<Id>): Promise<Answer<Id>> {
    const response = await this.response(...request);
    const text = await this.textOf(response);
    try {
      return (text === '' ? null : JSON.parse(text)) as Answer<Id>;
    } catch (error) {
      throw this.notOurs(`it returned ${response.headers.get('content-type') ?? 'no content type'}`, error);
    }
  }

  /** Yields the lines of a JSON lines response as they arrive. Throws an error that the server reports in a line. */
  async *lines<T, Id extends OperationId = OperationId>(...request: Request<Id>): AsyncGenerator<T> {
    const response = await this.response(...request);
    for await (const line of linesOf(this.chunks(response))) {
      const value = JSON.parse(line) as { readonly problem?: unknown };
      if (value.problem !== undefined) throw this.errorIn(asRecord(value.problem), response.status);
      yield value as T;
    }
  }

  /** Yields the lines of an export. Throws server_unreachable if the last line is missing. */
  async *exportLines(wish: Parameters<'exportQueue'>): AsyncGenerator<string> {
    for await (const line of linesOf(this.chunks(await this.response('exportQueue', wish)))) {
      if (line.startsWith('{"problem"')) throw this.errorIn(asRecord(problemIn(line).problem), 200);
      yield line;
      if (line.startsWith('{"end"')) return;
    }
    throw this.lost();
  }

  /** Yields the bytes of a response as they arrive. Throws server_unreachable. */
  async *chunks(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) yield chunk;
    } catch (error) {
      throw this.lost(error);
    }
  }

  /** Returns a successful response. Throws the reported error. */
  async response<Id extends OperationId>(...[id, parameters, body, extra = {}]: Request<Id>): Promise<Response> {
    const { method, path } = addressOf(id, parameters as Readonly<Record<string, unknown>>);
    const response = await this.transport.send(`${API}${path}`, {
      method,
      ...contentOf(body ?? (method === 'POST' ? {} : undefined), extra),
      ...(extra.signal && { signal: extra.signal }),
      redirect: 'manual', // never sends the token elsewhere
    });
    return this.accepted(response);
  }

  /** Throws the reported error, if any. */
  protected async accepted(response: Response): Promise<Response> {
    if (response.ok) return response;
    throw await this.errorOf(response);
  }

  private async errorOf(response: Response): Promise<QueueError> {
    return this.errorIn(problemIn(await this.textOf(response)), response.status);
  }

  /** Builds the error that the server reported. */
  protected errorIn(problem: Readonly<Record<string, unknown>>, status: number): QueueError {
    const { detail, hint, code, details } = problem;
    if (typeof detail !== 'string') return this.notOurs(`it returned ${status}`);
    const advice = typeof hint === 'string' ? hint : null;
    if (code === 'not_logged_in') return this.unauthorized();
    if (!isErrorCode(code)) return new QueueError('server_rejected', { problem: detail, hint: advice ?? '' });
    return QueueError.told(code, detail, advice, detailsIn(details));
  }

  private async textOf(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw this.lost(error);
    }
  }

  /** Error for a response that ended early. */
  lost(cause?: unknown): QueueError {
    const details = { url: this.transport.name, problem: 'the connection was lost' };
    return new QueueError('server_unreachable', details, { cause });
  }

  private unauthorized(): QueueError {
    const { name, hasToken } = this.transport;
    const message = hasToken
      ? `the server at '${name}' rejected the token`
      : `the server at '${name}' requires a token`;
    const hint = 'create a token on the server with `queuectl token add NAME`, and pass it as QUEUECTL_TOKEN';
    return QueueError.told('not_logged_in', message, hint);
  }

  private notOurs(problem: string, cause?: unknown): QueueError {
    return new QueueError('not_a_server', { url: this.transport.name, problem }, { cause });
  }
}

function contentOf(body: unknown, { text, bytes, headers }: Extra): Pick<RequestInit, 'body' | 'headers'> {
  if (bytes) return { body: bytes, headers: { 'content-type': 'application/octet-stream', ...headers } };
  const json = text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (json === undefined) return { headers: { ...headers } };
  return { body: json, headers: { 'content-type': 'application/json', ...headers } };
}

/** Puts parameters into the path where it names them, and all others into the query. */
function addressOf(
  id: OperationId,
  parameters: Readonly<Record<string, unknown>>,
): { readonly method: string; readonly path: string } {
  const [method = '', template = ''] = OPERATIONS[id].split(' ');
  const query = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return inPath(String(parameters[name]), template);
  });
  const asked = new URLSearchParams([...query].map(([name, value]) => [name, String(value)]));
  return { method, path: query.size === 0 ? path : `${path}?${asked}` };
}

/** Rejects names that have a special meaning in a path. */
function inPath(name: string, template: string): string {
  if (name === '' && template.startsWith('/jobs/')) throw new QueueError('job_not_found', { id: '' });
  if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name);
  throw new QueueError('usage', { problem: `'${name}' cannot be used as a name over HTTP`, hint: '' });
}

const detailsIn = (value: unknown): Details => asRecord(value) as Details;

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Splits bytes into lines. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function problemIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}
