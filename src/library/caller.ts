// Sends requests to the HTTP API, over a network or in this process. Returns JSON, or throws the reported error as a
// QueueError.

import { type Details, isErrorCode, QueueError } from '../errors/errors.ts';
import { OPERATIONS, type OperationId } from '../server/operations.ts';
import type { Operations } from '../server/routes/routes.ts';
import { linesOf } from './line-text.ts';

const API = '/api/v1';

/** What an operation takes in its path and query, as the schemas of its route have it. */
export type Parameters<Id extends OperationId> = Operations[Id]['parameters'];
export type Body<Id extends OperationId> = Operations[Id]['body'];
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** The rest of a request, for the few that need it. */
export interface Extra {
  /** A body that is JSON already. */
  readonly text?: string;
  /** Raw bytes instead of a body. */
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

  /** Performs an operation of the API and returns its answer as data; null when there is none. */
  async call<Id extends OperationId>(...request: Request<Id>): Promise<Answer<Id>> {
    const response = await this.response(...request);
    const text = await this.textOf(response);
    try {
      return (text === '' ? null : JSON.parse(text)) as Answer<Id>;
    } catch (error) {
      throw this.notOurs(`it answers ${response.headers.get('content-type') ?? 'something'}`, error);
    }
  }

  /** An answer that comes as lines of JSON, each as it comes. What went wrong on the way is thrown. */
  async *lines<T, Id extends OperationId = OperationId>(...request: Request<Id>): AsyncGenerator<T> {
    const response = await this.response(...request);
    for await (const line of linesOf(this.chunks(response))) {
      const value = JSON.parse(line) as { readonly problem?: unknown };
      if (value.problem !== undefined) throw this.errorIn(asRecord(value.problem), response.status);
      yield value as T;
    }
  }

  /** The lines of an export, however many. One that lacks its last line was cut short: server_unreachable. */
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

  /** Any answer but an error. */
  async response<Id extends OperationId>(
    ...[id, parameters, body, extra = {}]: Request<Id>
  ): Promise<Response> {
    const { method, path } = addressOf(id, parameters as Readonly<Record<string, unknown>>);
    const response = await this.transport.send(`${API}${path}`, {
      method,
      ...contentOf(body ?? (method === 'POST' ? {} : undefined), extra),
      ...(extra.signal && { signal: extra.signal }),
      redirect: 'manual', // a token goes where it was meant to go, and nowhere else
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
    if (typeof detail !== 'string') return this.notOurs(`it answers ${status}`);
    const advice = typeof hint === 'string' ? hint : null;
    if (code === 'not_logged_in') return this.notLetIn();
    if (!isErrorCode(code)) return new QueueError('server_refused', { problem: detail, hint: advice ?? '' });
    return QueueError.told(code, detail, advice, detailsIn(details));
  }

  private async textOf(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw this.lost(error);
    }
  }

  protected lost(cause?: unknown): QueueError {
    const details = { url: this.transport.name, problem: 'the connection was lost' };
    return new QueueError('server_unreachable', details, { cause });
  }

  private notLetIn(): QueueError {
    const { name, hasToken } = this.transport;
    const message = hasToken
      ? `the server at '${name}' does not know this token, or knows it no longer`
      : `the server at '${name}' wants a token`;
    const hint = 'queuectl token add NAME prints one, where the queue is; give it as QUEUECTL_TOKEN';
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

/** Parameters that the path names go there, and all others into the query. */
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

/** Whatever a name holds; but for these, which mean something else in a path. */
function inPath(name: string, template: string): string {
  if (name === '' && template.startsWith('/jobs/')) throw new QueueError('job_not_found', { id: '' });
  if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name);
  throw new QueueError('usage', { problem: `'${name}' cannot be asked for through a server`, hint: '' });
}

const detailsIn = (value: unknown): Details => asRecord(value) as Details;

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function problemIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}
