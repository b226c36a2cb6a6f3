// What the HTTP server can answer beside the errors of the queue itself.

import type { ErrorKind } from './kind.ts';

export const SERVER_ERRORS = () =>
  ({
    invalid_request: {
      exit: 2,
      http: 400,
      message: '{where}: {problem}',
      hint: '/openapi.json says what each request takes',
    },
    invalid_arguments: {
      exit: 2,
      http: 400,
      message: '{where}: {problem}',
      hint: 'tools/list has what {tool} takes',
    },
    unknown_parameter: { exit: 2, http: 400, message: "unknown parameter '{name}'", hint: '{hint}' },
    invalid_cursor: {
      exit: 2,
      http: 400,
      message: 'the list cannot continue from there: `after` belongs to another list, filter or order',
      hint: 'begin again without `after`',
    },
    idempotency_key_reused: {
      exit: 4,
      http: 409,
      message: "the Idempotency-Key '{key}' was sent before with another request; nothing was enqueued",
      hint: 'a key stands for one request: send another one with another key',
    },
    idempotency_key_busy: {
      exit: 4,
      http: 409,
      message: "a request with the Idempotency-Key '{key}' is being worked on",
      hint: 'send it again in a moment',
    },
    too_many_bulks: {
      exit: 4,
      http: 429,
      message: '{most} changes of many jobs run already; nothing was changed',
      hint: 'wait until one of them has ended, or stop one by DELETE /api/v1/bulk/ID',
    },
    bulk_not_found: {
      exit: 3,
      http: 404,
      message: "this server knows of no change of many jobs with the id '{id}'",
      hint: 'GET /api/v1/bulk lists those since it was started; they end with the server',
    },
    not_json: {
      exit: 2,
      http: 415,
      message: 'the body must be JSON, and this one is of the type {type}',
      hint: 'send it with the header Content-Type: application/json',
    },
    body_too_large: {
      exit: 2,
      http: 413,
      message: 'the body can have {most} bytes, and this has more; nothing was changed',
      hint: 'send it in several requests',
    },
    no_such_route: {
      exit: 3,
      http: 404,
      message: "there is nothing at '{path}'",
      hint: '/openapi.json lists what there is',
    },
    not_logged_in: {
      exit: 2,
      http: 401,
      message: 'this server answers only those who log in or send a token',
      hint: 'open the address that `queuectl serve` printed, or send a token: Authorization: Bearer TOKEN',
    },
    no_such_attempt: {
      exit: 2,
      http: 401,
      message: 'this token does not belong to a job that runs here, or no longer does',
      hint: 'a job is known while its attempt runs; what goes on after it needs another way to the queue: --db or --server',
    },
    not_allowed: {
      exit: 2,
      http: 403,
      message: "this takes the role '{needed}', and {name} has the role '{role}'",
      hint: 'ask an administrator of this queue',
    },
    wrong_login: {
      exit: 2,
      http: 401,
      message: 'this server knows no user with that name and password, and no such token',
      hint: 'queuectl user add NAME and queuectl token add NAME make new ones',
    },
    too_many_logins: {
      exit: 2,
      http: 429,
      message: 'too many logins have failed; try again in {seconds} s',
      hint: 'programs send a token with each request instead: Authorization: Bearer TOKEN',
    },
    cross_site: {
      exit: 2,
      http: 403,
      message: 'this request did not come from a page of this server',
      hint: 'programs send a token with each request: Authorization: Bearer TOKEN',
    },
    serves_read_only: {
      exit: 2,
      http: 403,
      message: 'this server was started with --read-only, so nothing can be changed through it',
      hint: 'use the command line, or a server that was started without it',
    },
    unsafe_address: {
      exit: 2,
      http: 400,
      message: 'anyone who can reach {host} could listen in on this server{also}',
      hint: '{hint}',
    },
    unsafe_token_file: {
      exit: 2,
      http: 400,
      message: "the token in '{path}' cannot be trusted: {problem}",
      hint: '{hint}',
    },
    unusable_certificate: {
      exit: 2,
      http: 400,
      message: 'cannot serve with this certificate and key: {problem}',
      hint: 'both are files in PEM format that belong together: --tls-cert cert.pem --tls-key key.pem',
    },
    wrong_host: {
      exit: 2,
      http: 421,
      message: 'this server does not answer to that name',
      hint: 'name it when the server is started: queuectl serve --allow-host NAME',
    },
    too_busy: {
      exit: 2,
      http: 429,
      message: 'this server is busy with as many requests as it takes at a time; nothing was changed',
      hint: 'try again in a few seconds, as Retry-After says',
    },
    range_not_satisfiable: {
      exit: 2,
      http: 416,
      message: "the output has {size} bytes, and '{range}' covers none of them",
      hint: 'ask for bytes=FIRST-LAST, for bytes=FIRST- or, from the end, for bytes=-COUNT',
    },
    output_gone: {
      exit: 3,
      http: 404,
      message: "the output of attempt {number} of job '{id}' is no longer there",
      hint: 'its log file was removed: {path}',
    },
    store_slow: {
      exit: 5,
      http: 503,
      message: 'the store has not answered for {seconds} s',
      hint: 'wait a little; if it stays so: queuectl doctor',
    },
    server_failed: {
      exit: 1,
      http: 500,
      message: 'something went wrong inside the server',
      hint: 'its log says what; please report it',
    },
    port_taken: {
      exit: 1,
      http: 500,
      message: 'cannot listen on {host}:{port}: {problem}',
      hint: 'choose another one: queuectl serve --port N',
    },
  }) as const satisfies Record<string, ErrorKind>;
