// Requests to the HTTP API, over a network or inside this process, and what comes back: JSON, or the error that the other
// side has told, as the one class that all errors here are of.

import { type Details, isErrorCode, QueueError } from '../errors/errors.ts';
import { linesOf } from './line-text.ts';

const API = '/api/v1';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A body that is JSON already. */
  readonly text?: string;
  /** Sent as they are, instead of a body. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Where requests go. Throws server_unreachable. */
export interface Transport {
  /** For people. */
  readonly name: string;
  readonly hasToken: boolean;
  send(path: string, init: RequestInit): Promise<Response>;
}

export class Caller {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  get<T>(path: string, query: Call['query'] = {}): Promise<T> {
    return this.json('GET', path, { query });
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.json('POST', path, { body });
  }

  /** The answer as data; null when there is none. */
  async json<T>(method: Method, path: string, call: Call = {}): Promise<T> {
    const response = await this.response(method, path, call);
    const text = await this.textOf(response);
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch (error) {
      throw this.notOurs(`it answers ${response.headers.get('content-type') ?? 'something'}`, error);
    }
  }

  /** An answer that comes as lines of JSON, each as it comes. What went wrong on the way is thrown. */
  async *lines<T>(method: Method, path: string, call: Call = {}): AsyncGenerator<T> {
    const response = await this.response(method, path, call);
    for await (const line of linesOf(this.chunks(response))) {
      const value = JSON.parse(line) as { readonly problem?: unknown };
      if (value.problem !== undefined) throw this.errorIn(asRecord(value.problem), response.status);
      yield value as T;
    }
  }

  /** An answer of lines as they are, however many, up to the one that begins so. Else it was cut short: server_unreachable. */
  async *wholeLines(path: string, query: NonNullable<Call['query']>, last: string): AsyncGenerator<string> {
    for await (const line of linesOf(this.chunks(await this.response('GET', path, { query })))) {
      if (line.startsWith('{"problem"')) throw this.errorIn(asRecord(problemIn(line).problem), 200);
      yield line;
      if (line.startsWith(last)) return;
    }
    throw this.lost();
  }

  /** The bytes of an answer as they come. Else server_unreachable. */
  async *chunks(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) yield chunk;
    } catch (error) {
      throw this.lost(error);
    }
  }

  /** Any answer but an error. */
  async response(method: Method, path: string, call: Call = {}): Promise<Response> {
    const response = await this.transport.send(`${API}${path}${queryOf(call.query)}`, {
      method,
      ...contentOf(call),
      ...(call.signal && { signal: call.signal }),
      redirect: 'manual', // a token goes where it was meant to go, and nowhere else
    });
    return this.accepted(response);
  }

  /** Else the error that it tells. */
  protected async accepted(response: Response): Promise<Response> {
    if (response.ok) return response;
    throw await this.errorOf(response);
  }

  private async errorOf(response: Response): Promise<QueueError> {
    return this.errorIn(problemIn(await this.textOf(response)), response.status);
  }

  /** As the other side tells it. */
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

function contentOf({ body, text, bytes, headers }: Call): Pick<RequestInit, 'body' | 'headers'> {
  if (bytes) return { body: bytes, headers: { 'content-type': 'application/octet-stream', ...headers } };
  const json = text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (json === undefined) return { headers: { ...headers } };
  return { body: json, headers: { 'content-type': 'application/json', ...headers } };
}

/** In a path, whatever a name holds; but for these, which mean something else there. */
export function named(name: string): string {
  if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name);
  throw new QueueError('usage', { problem: `'${name}' cannot be asked for through a server`, hint: '' });
}

/** Of a job by id, name or prefix; no job is called by no name. */
export function jobPath(id: string): string {
  if (id === '') throw new QueueError('job_not_found', { id });
  return `/jobs/${named(id)}`;
}

function queryOf(query: Call['query'] = {}): string {
  const said = Object.entries(query).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  if (said.length === 0) return '';
  return `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`;
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
