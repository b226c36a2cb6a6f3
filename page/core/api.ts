// Requests to the server. Whatever is not an answer becomes one kind of error, with a sentence and what to do about it.

import { signal } from '@preact/signals';

const API = '/api/v1';

/** Turns true when the server does not know us (any more): the page then asks for a token. */
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

export interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>('GET', path, { signal });

/** Anything that changes something. Its body is JSON even when it says nothing: the server insists on that. */
export const send = <T = unknown>(
  method: string,
  path: string,
  body: unknown = {},
  sent: Sent = {},
): Promise<T> => request<T>(method, path, { body, ...sent });

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
    throw new ApiError(
      0,
      'unreachable',
      'The server cannot be reached.',
      'Is `queuectl serve` still running?',
    );
  }
}

const NAME_HINT = 'Use the command line on the machine of the queue.';

/** Browsers resolve the segments `.` and `..`, so that a queue of an old version called `..` would lead to another route. */
export const isKept = (path: string): boolean =>
  new URL(path, 'http://page.invalid').pathname === path.split('?', 1)[0];

async function errorOf(response: Response): Promise<ApiError> {
  const problem = await response.json().catch(() => ({}));
  const sentence = problem.detail ?? `The server answered ${response.status}.`;
  const hint = problem.code === 'invalid_request' ? null : (problem.hint ?? null); // it is for programs
  return new ApiError(response.status, problem.code ?? 'unknown', sentence, hint);
}

export const isAborted = (error: unknown): boolean => (error as Error)?.name === 'AbortError';
