// Errors of the HTTP server itself.

import type { ErrorKind } from './kind.ts';

export const SERVER_ERRORS = () =>
  ({
    invalid_request: {
      exit: 2,
      http: 400,
      message: '{where}: {problem}',
      hint: 'see the request schema in /openapi.json',
    },
    invalid_arguments: {
      exit: 2,
      http: 400,
      message: '{where}: {problem}',
      hint: 'see the input schema of {tool} in tools/list',
    },
    unknown_parameter: { exit: 2, http: 400, message: "unknown parameter '{name}'", hint: '{hint}' },
    invalid_cursor: {
      exit: 2,
      http: 400,
      message: 'invalid cursor: `after` belongs to another list, filter or order',
      hint: 'start again without `after`',
    },
    idempotency_key_reused: {
      exit: 4,
      http: 409,
      message: "the Idempotency-Key '{key}' was already used for a different request; nothing was enqueued",
      hint: 'use a new key for each request',
    },
    idempotency_key_busy: {
      exit: 4,
      http: 409,
      message: "a request with the Idempotency-Key '{key}' is in progress",
      hint: 'retry the request in a moment',
    },
    too_many_bulks: {
      exit: 4,
      http: 429,
      message: '{most} bulk operations are already running; nothing was changed',
      hint: 'wait until one finishes, or stop one: DELETE /api/v1/bulk/ID',
    },
    bulk_not_found: {
      exit: 3,
      http: 404,
      message: "bulk operation '{id}' not found",
      hint: 'list the bulk operations since the server started: GET /api/v1/bulk',
    },
    not_json: {
      exit: 2,
      http: 415,
      message: 'the request body must be JSON, not {type}',
      hint: 'send the header Content-Type: application/json',
    },
    body_too_large: {
      exit: 2,
      http: 413,
      message: 'the request body is larger than the limit of {most} bytes; nothing was changed',
      hint: 'split the body into several requests',
    },
    no_such_route: {
      exit: 3,
      http: 404,
      message: "path '{path}' not found",
      hint: 'see the list of paths in /openapi.json',
    },
    not_logged_in: {
      exit: 2,
      http: 401,
      message: 'authentication required',
      hint: 'open the URL that `queuectl serve` printed, or send the header Authorization: Bearer TOKEN',
    },
    no_such_attempt: {
      exit: 2,
      http: 401,
      message: 'the job token is unknown or has expired',
      hint: 'a job token expires when the attempt finishes; afterwards, use --db or --server',
    },
    not_allowed: {
      exit: 2,
      http: 403,
      message: "this request requires the role '{needed}', but {name} has the role '{role}'",
      hint: "ask an administrator for the role '{needed}'",
    },
    wrong_login: {
      exit: 2,
      http: 401,
      message: 'wrong user name, password or token',
      hint: 'add a user or token: queuectl user add NAME; queuectl token add NAME',
    },
    too_many_logins: {
      exit: 2,
      http: 429,
      message: 'too many failed logins; try again in {seconds} s',
      hint: 'in programs, send a token with each request: Authorization: Bearer TOKEN',
    },
    cross_site: {
      exit: 2,
      http: 403,
      message: 'cross-site request rejected',
      hint: 'in programs, send a token with each request: Authorization: Bearer TOKEN',
    },
    serves_read_only: {
      exit: 2,
      http: 403,
      message: 'the server is read-only (--read-only); nothing was changed',
      hint: 'use the command line, or a server started without --read-only',
    },
    unsafe_address: {
      exit: 2,
      http: 400,
      message: 'unencrypted HTTP on {host} would expose this server to the network{also}',
      hint: '{hint}',
    },
    unsafe_token_file: {
      exit: 2,
      http: 400,
      message: "cannot trust the token file '{path}': {problem}",
      hint: '{hint}',
    },
    unusable_certificate: {
      exit: 2,
      http: 400,
      message: 'cannot use the TLS certificate and key: {problem}',
      hint: 'pass a matching pair of PEM files: --tls-cert cert.pem --tls-key key.pem',
    },
    wrong_host: {
      exit: 2,
      http: 421,
      message: 'the host name of this request is not allowed',
      hint: 'allow the host name: queuectl serve --allow-host NAME',
    },
    too_busy: {
      exit: 2,
      http: 429,
      message: 'too many concurrent requests; nothing was changed',
      hint: 'retry after the time in the Retry-After header',
    },
    range_not_satisfiable: {
      exit: 2,
      http: 416,
      message: "the output has {size} bytes, and '{range}' covers none of them",
      hint: 'request bytes=FIRST-LAST, bytes=FIRST- or, from the end, bytes=-COUNT',
    },
    output_gone: {
      exit: 3,
      http: 404,
      message: "the output of attempt {number} of job '{id}' no longer exists",
      hint: 'the log file was deleted: {path}',
    },
    store_slow: {
      exit: 5,
      http: 503,
      message: 'the database has not responded for {seconds} s',
      hint: 'retry in a moment; if the error persists, run: queuectl doctor',
    },
    server_failed: {
      exit: 1,
      http: 500,
      message: 'internal server error',
      hint: 'see the server log for details, and please report the error',
    },
    port_taken: {
      exit: 1,
      http: 500,
      message: 'cannot listen on {host}:{port}: {problem}',
      hint: 'choose another port: queuectl serve --port N',
    },
  }) as const satisfies Record<string, ErrorKind>;
