// The catalogue of all errors by code, and their class. The other files of this directory contain the messages: one for
// each exit code, and one each for the HTTP client and server. docs/reference/errors.md is generated from them.

import { CLIENT_ERRORS } from './client.ts';
import { CONFLICT_ERRORS } from './conflict.ts';
import { INPUT_ERRORS } from './input.ts';
import type { ErrorKind } from './kind.ts';
import { NOT_FOUND_ERRORS } from './not-found.ts';
import { POLICY_ERRORS } from './policy.ts';
import { RUN_TIME_ERRORS, TIMEOUT_ERRORS } from './run-time.ts';
import { SERVER_ERRORS } from './server.ts';
import { STORE_ERRORS } from './store.ts';
import { inWords } from './system-messages.ts';

export type { ErrorKind } from './kind.ts';

const catalogue = () => ({
  ...INPUT_ERRORS(),
  ...POLICY_ERRORS(),
  ...NOT_FOUND_ERRORS(),
  ...CONFLICT_ERRORS(),
  ...STORE_ERRORS(),
  ...RUN_TIME_ERRORS(),
  ...TIMEOUT_ERRORS(),
  ...SERVER_ERRORS(),
  ...CLIENT_ERRORS(),
});

export type ErrorCode = keyof ReturnType<typeof catalogue>;
let known: Readonly<Record<ErrorCode, ErrorKind>> | undefined;

/** Created at the first error, because most commands have none. */
export const errorKinds = (): Readonly<Record<ErrorCode, ErrorKind>> => (known ??= catalogue());

export type Details = Readonly<Record<string, string | number>>;

/** The class of all errors that users see. Any other error is a bug. */
export class QueueError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;
  readonly hint: string | null;

  constructor(code: ErrorCode, details: Details = {}, options?: ErrorOptions) {
    const { message, hint = '' } = errorKinds()[code];
    super(fill(message, details), options);
    this.name = 'QueueError';
    this.code = code;
    this.details = details;
    this.hint = fill(hint, details) || null;
  }

  get exitCode(): number {
    return errorKinds()[this.code].exit;
  }

  /** Creates an error with its own message and hint, for example one that a server has returned. */
  static told(code: ErrorCode, message: string, hint: string | null, details: Details = {}): QueueError {
    return Object.assign(new QueueError(code, details), { message, hint });
  }
}

/** An invalid command line or argument. */
export const usageError = (problem: string, hint = ''): QueueError => new QueueError('usage', { problem, hint });

export const isErrorCode = (word: unknown): word is ErrorCode =>
  typeof word === 'string' && Object.hasOwn(errorKinds(), word);

function fill(template: string, details: Details): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => inWords(String(details[key] ?? '')));
}
