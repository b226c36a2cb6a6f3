// Requests to the server. Every failure becomes an ApiError with a message and a hint.

import { signal } from '@preact/signals';

export const API = '/api/v1';

/** True once the server rejects the session; the page then shows the login. */
export const isLoggedOut = signal(false);

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;

  constructor(status: number, code: string, message: string, hint: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>('GET', path, { signal });

/** Sends a change. The body is always JSON, because the server requires that. */
export const send = <T = unknown>(method: string, path: string, body: unknown = {}, sent: Sent = {}): Promise<T> =>
  request<T>(method, path, { body, ...sent });

async function request<T>(method: string, path: string, sent: Sent): Promise<T> {
  const response = await reach(method, path, sent);
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  if (response.status === 401 && path !== '/session') isLoggedOut.value = true;
  throw await errorOf(response);
}

async function reach(method: string, path: string, { body, signal, headers }: Sent): Promise<Response> {
  const url = `${API}${path}`;
  if (!isKept(url)) throw new ApiError(0, 'invalid_name', 'This name cannot be used in a URL.', NAME_HINT);
  try {
    return await fetch(url, {
      method,
      credentials: 'same-origin',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'The server cannot be reached.', AWAY_HINT);
  }
}

const AWAY_HINT = 'Is `queuectl serve` still running?';
const NAME_HINT = 'Use the command line on the host of the queue.';

/** Browsers resolve the segments `.` and `..`, so a queue with such a name would lead to another route. */
export const isKept = (path: string): boolean =>
  new URL(path, 'http://page.invalid').pathname === path.split('?', 1)[0];

export async function errorOf(response: Response): Promise<ApiError> {
  const problem = await response.json().catch(() => ({}));
  const sentence = problem.detail ?? `The server responded with status ${response.status}.`;
  const hint = problem.code === 'invalid_request' ? null : (problem.hint ?? null); // that hint is for programmers
  return new ApiError(response.status, problem.code ?? 'unknown', sentence, hint);
}

export const isAborted = (error: unknown): boolean => (error as Error)?.name === 'AbortError';
