// The meaning of errors of PostgreSQL and of the connection to it, for the store and for users.

import { type ErrorCode, QueueError } from '../../../errors/errors.ts';

/** SQLSTATE, errno or TLS code; '' for the driver's own errors, which have no code. */
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
const messageOf = (error: unknown): string => String((error as Error | null)?.message ?? error);

/** The transaction conflicted with another one, and nothing was written. Trying again helps. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** An earlier statement has failed, so all later ones fail until the end of the transaction. */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === '25P02';

/** The server has not assigned this transaction ID yet. */
export const isUnassignedId = (error: unknown): boolean => codeOf(error) === '22023';

/** The server is now read-only. Another server may have become the primary. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006' || codeOf(error) === 'store_read_only';

/** The server cannot store a value, such as a number that is out of range. Trying again does not help. */
export const isInvalidData = (error: unknown): boolean => codeOf(error).startsWith('22');

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';
export const isUndefinedTable = (error: unknown): boolean => ['42P01', '3F000'].includes(codeOf(error));
/** For translated errors. */
export const mayNotWrite = (error: unknown): boolean => ['store_forbidden', 'store_read_only'].includes(codeOf(error));

export const NO_TLS = 'The server does not support SSL connections';

const LOST_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN',
  'EHOSTDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE',
  '53300', // too many connections
  '57P01', // terminated by an administrator, or the server is shut down
  '57P02', // the server crashed
  '57P03', // starting up, shutting down, recovering
  '57P05', // idle for too long
  '25P03', // idle in a transaction for too long
  '25P04', // a transaction that took too long
]); // biome-ignore format: a list of words

/** The driver identifies these errors only by their message. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout expired|Query read timeout|Client (has encountered|was closed)|Received unexpected|Client network socket disconnected)/;

/** The connection was lost or could not be opened. A later attempt may succeed. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST_CODES.has(code) || code.startsWith('08')) return true;
  if (error instanceof AggregateError) return error.errors.every(isLost);
  return code === '' && LOST_MESSAGES.test(messageOf(error));
}

const MEANINGS: Record<string, ErrorCode> = {
  '25006': 'store_read_only', // a read-only transaction: a standby, or a server set to read-only
  '42501': 'store_forbidden', // permission denied
  '53100': 'store_full',
  '53200': 'store_unreachable', // out of memory
  '55P03': 'store_busy', // lock_timeout
  '57014': 'store_busy', // statement_timeout
  '3F000': 'store_gone',
  '42P01': 'store_gone',
  '42703': 'store_not_a_database', // one of our tables lacks a column
  '28000': 'store_unreachable', // access denied for this user
  '28P01': 'store_unreachable', // wrong password
  '3D000': 'store_unreachable', // no such database
  XX001: 'store_corrupt',
  XX002: 'store_corrupt',
};

/** Returns the QueueError for a failure of the server or the network. Other errors are returned unchanged. */
export function translate(error: unknown, name: string, waitedMs = 0): unknown {
  if (error instanceof QueueError) return error;
  const meaning = isLost(error) || isRejected(error) ? 'store_unreachable' : MEANINGS[codeOf(error)];
  if (!meaning) return error;
  const seconds = Math.round(waitedMs / 100) / 10;
  return new QueueError(meaning, { path: name, problem: sentenceOf(error), seconds }, { cause: error });
}

const TLS_CODES = /^(ERR_(TLS|SSL|OSSL)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Problems with certificates, the TLS handshake or authentication, where waiting does not help. */
const isRejected = (error: unknown): boolean =>
  TLS_CODES.test(codeOf(error)) || /^SASL|SSL connection/.test(messageOf(error));

/** The reason for users. The driver's own messages are about its internals. */
function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof AggregateError) return sentenceOf(error.errors[0]);
  if (message === 'timeout expired') return 'connection timed out';
  if (message === 'Query read timeout') return 'the server stopped responding';
  if (message.startsWith('Connection terminated')) return 'the connection was lost';
  if (message === NO_TLS) return 'sslmode requires TLS, but the server does not support it';
  if (/client password must be/.test(message))
    return 'the server requires a password: set PGPASSWORD or use a password file';
  return message || codeOf(error);
}
