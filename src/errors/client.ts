// Errors of clients that use a server.

import type { ErrorKind } from './kind.ts';

export const CLIENT_ERRORS = () =>
  ({
    server_unreachable: {
      exit: 5,
      http: 503,
      message: "cannot reach the server at '{url}': {problem}",
      hint: 'check the URL, and that `queuectl serve` is running there',
    },
    not_a_server: {
      exit: 5,
      http: 503,
      message: "'{url}' is not a queuectl server: {problem}",
      hint: 'use the URL that `queuectl serve` prints, for example http://127.0.0.1:7777',
    },
    server_too_old: {
      exit: 5,
      http: 503,
      message: "the server at '{url}' runs queuectl {version}, which does not support this command",
      hint: 'upgrade queuectl on the server, or run the command there without --server',
    },
    stop_unwatched: {
      exit: 5,
      http: 503,
      message: "lost the connection to '{url}' while the workers were stopping; they continue to stop",
      hint: 'list the remaining workers: queuectl worker list',
    },
    server_rejected: { exit: 1, http: 500, message: '{problem}', hint: '{hint}' },
    too_large_together: {
      exit: 2,
      http: 413,
      message: '{what} is {size}, more than the {most} limit of one HTTP request; nothing was enqueued',
      hint: '{hint}',
    },
    not_over_http: {
      exit: 2,
      http: 400,
      message: "'queuectl {command}' does not support --server",
      hint: '{hint}',
    },
  }) as const satisfies Record<string, ErrorKind>;
