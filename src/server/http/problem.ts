// Errors as problem+json (RFC 9457), with the code and hint that the command line would show.

import { type Details, errorKinds, QueueError } from '../../errors/errors.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint: string | null;
  /** Position of the invalid word in a filter, starting at 1. */
  readonly position?: number;
  /** Values of the placeholders that docs/reference/errors.md lists. */
  readonly details?: Details;
}

export function problemOf(error: unknown): Problem {
  const known = asQueueError(error);
  const status = errorKinds()[known.code].http;
  const { position } = known.details;
  return {
    type: 'about:blank',
    title: TITLES[status] ?? 'Error',
    status,
    detail: known.message,
    code: known.code,
    hint: known.hint || null,
    ...(typeof position === 'number' && { position }),
    ...(Object.keys(known.details).length > 0 && { details: known.details }),
  };
}

export function problemResponse(error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = problemOf(error);
  return new Response(`${JSON.stringify(problem)}\n`, {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, ...headers },
  });
}

/** True for errors that the server caused, not the client. */
export const isServersMistake = (error: unknown): boolean =>
  !(error instanceof QueueError) || errorKinds()[error.code].http >= 500;

/** Hides internal errors from the client; the server logs them. */
const asQueueError = (error: unknown): QueueError =>
  error instanceof QueueError ? error : new QueueError('server_failed', {}, { cause: error });

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
