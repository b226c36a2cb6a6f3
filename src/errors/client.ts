// What can go wrong on the way to a server, and what cannot be done through one.

import type { ErrorKind } from './kind.ts';

export const CLIENT_ERRORS = () =>
  ({
    server_unreachable: {
      exit: 5,
      http: 503,
      message: "the server at '{url}' cannot be reached: {problem}",
      hint: 'check the address, and that queuectl serve runs there',
    },
    not_a_server: {
      exit: 5,
      http: 503,
      message: "what answers at '{url}' is not queuectl serve: {problem}",
      hint: 'check the address: it is the one that queuectl serve prints, such as http://127.0.0.1:7777',
    },
    server_too_old: {
      exit: 5,
      http: 503,
      message: "the server at '{url}' runs queuectl {version}, which does not know this yet",
      hint: 'upgrade queuectl there, or do it on its machine, without --server',
    },
    stop_unwatched: {
      exit: 5,
      http: 503,
      message: "the server at '{url}' has gone while the workers were stopping; they stop all the same",
      hint: 'queuectl worker list shows those that are left',
    },
    server_refused: { exit: 1, http: 500, message: '{problem}', hint: '{hint}' },
    too_large_together: {
      exit: 2,
      http: 413,
      message: '{what} has {size}, and one request to a server can have {most}; nothing was enqueued',
      hint: '{hint}',
    },
    not_over_http: {
      exit: 2,
      http: 400,
      message: "'queuectl {command}' cannot be done through a server",
      hint: '{hint}',
    },
  }) as const satisfies Record<string, ErrorKind>;
