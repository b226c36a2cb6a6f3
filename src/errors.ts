// Every error a user can meet, once: code, sentence, hint, exit status, HTTP status.
// docs/errors.md is this table in prose; a test compares the two.

export interface ErrorKind {
  readonly exit: number;
  readonly http: number;
  readonly message: string;
  readonly hint?: string;
}

const kinds = {
  usage: { exit: 2, http: 400, message: '{problem}', hint: '{hint}' },
  invalid_json: {
    exit: 2,
    http: 400,
    message: 'this is not valid JSON: {problem}',
    hint: 'a job looks like \'{"command":"sleep 2"}\'; a plain command needs no braces: queuectl enqueue \'sleep 2\'',
  },
  invalid_job: { exit: 2, http: 400, message: '{problem}', hint: '{hint}' },
  command_required: {
    exit: 2,
    http: 400,
    message: 'a job needs a command: command required',
    hint: "queuectl enqueue 'sleep 2'",
  },
  invalid_input: {
    exit: 2,
    http: 400,
    message: '{where}: {problem}; nothing was enqueued',
    hint: '{hint}',
  },
  environment_too_large: {
    exit: 2,
    http: 400,
    message: '{problem}, over the {most} that a job can be given; nothing was enqueued',
    hint: 'unset what is not needed, or run the job with the environment of its worker: --no-inherit-env',
  },
  folder_missing: { exit: 2, http: 400, message: "the folder '{path}' {problem}", hint: '{hint}' },
  folder_gone: { exit: 2, http: 400, message: 'the current folder was removed{so}', hint: '{hint}' },
  unreadable_input: { exit: 2, http: 400, message: "cannot read '{path}': {problem}", hint: '{hint}' },
  unknown_setting: {
    exit: 2,
    http: 400,
    message: "unknown setting '{key}'",
    hint: '{hint}',
  },
  invalid_setting: { exit: 2, http: 400, message: '{problem}', hint: '{hint}' },
  confirmation_needed: {
    exit: 2,
    http: 400,
    message: 'this would {action}, and there is no terminal to ask on',
    hint: 'add --yes to do it',
  },
  ambiguous_id: {
    exit: 2,
    http: 400,
    message: "'{prefix}' is the start of more than one {noun}: {matches}",
    hint: 'type a few more characters',
  },
  job_not_found: {
    exit: 3,
    http: 404,
    message: "job '{id}' not found",
    hint: 'queuectl list shows the jobs there are',
  },
  attempt_not_found: {
    exit: 3,
    http: 404,
    message: "job '{id}' has no attempt {number}",
    hint: 'queuectl show {id} lists its attempts',
  },
  worker_not_found: {
    exit: 3,
    http: 404,
    message: "worker '{id}' not found",
    hint: 'queuectl worker list shows the workers there are',
  },
  queue_not_found: {
    exit: 3,
    http: 404,
    message: "there is no queue at '{path}'",
    hint: 'check the path or the address; queuectl init says where the queue in use is',
  },
  host_not_found: {
    exit: 3,
    http: 404,
    message: "no worker runs on host '{host}'",
    hint: '{hint}',
  },
  job_exists: {
    exit: 4,
    http: 409,
    message: "job '{id}' already exists{where}",
    hint: 'choose another id or leave it out; queuectl show {id} shows the one there is',
  },
  wrong_state: {
    exit: 4,
    http: 409,
    message: "job '{id}' is {state}: {verb} takes a job that is {allowed}",
    hint: '{hint}',
  },
  workers_running: {
    exit: 4,
    http: 409,
    message: '{count} running: {action} would pull the queue from under them',
    hint: 'queuectl {options}worker stop{all} first{otherwise}',
  },
  queue_moving: {
    exit: 4,
    http: 409,
    message: "a queue is being moved from or to '{path}'",
    hint: 'wait until queuectl migrate has ended, then start workers where the queue is',
  },
  target_not_empty: {
    exit: 4,
    http: 409,
    message: "'{path}' holds jobs that are not of this move, such as '{id}'; nothing was changed",
    hint: 'move to an empty place, or empty this one first: queuectl --db {path} reset',
  },
  store_not_a_database: {
    exit: 5,
    http: 503,
    message: "'{path}' is not a queuectl database ({problem})",
    hint: 'point --db or QUEUECTL_DB at another file; this one was left as it is',
  },
  store_corrupt: {
    exit: 5,
    http: 503,
    message: "the database '{path}' is damaged ({problem})",
    hint: 'it was left as it is: restore a backup, or rescue what can be read with: sqlite3 {path} .recover',
  },
  store_read_only: {
    exit: 5,
    http: 503,
    message: "the database '{path}' cannot be written ({problem})",
    hint: 'check the owner and mode of the file and of its folder, and that the disk is not mounted read-only; on a server, that it is no standby',
  },
  store_forbidden: {
    exit: 5,
    http: 503,
    message: "the database '{path}' does not let this role do that ({problem})",
    hint: 'docs/postgresql.md lists what each role has to be granted; connect as another role, or ask whoever owns the queue',
  },
  store_unreachable: {
    exit: 5,
    http: 503,
    message: "the database '{path}' cannot be opened ({problem})",
    hint: 'check that the folder exists and can be written, or that the server runs and lets you in; and that --db or QUEUECTL_DB names the right place',
  },
  store_pooled: {
    exit: 5,
    http: 503,
    message: "'{path}' leads to a connection pooler, and a queue needs the server itself ({problem})",
    hint: 'give the address of the PostgreSQL server, not of PgBouncer or another pooler; a worker needs only two or three connections',
  },
  store_encoding: {
    exit: 5,
    http: 503,
    message: "the database '{path}' has the encoding {encoding}, and a queue needs UTF8",
    hint: "make one for it: CREATE DATABASE queue ENCODING 'UTF8' TEMPLATE template0",
  },
  store_gone: {
    exit: 5,
    http: 503,
    message: "the database '{path}' was removed or replaced while it was in use",
    hint: 'start new workers for the one that is there now',
  },
  store_full: {
    exit: 5,
    http: 503,
    message: "the disk that holds '{path}' is full; nothing was changed",
    hint: 'free some space: queuectl prune removes finished jobs and their logs',
  },
  store_busy: {
    exit: 5,
    http: 503,
    message: "the database '{path}' stayed locked for {seconds} s",
    hint: 'another program holds it: queuectl doctor; then try again',
  },
  store_too_new: {
    exit: 5,
    http: 503,
    message: "the database '{path}' is of version {found}, this queuectl knows up to {known}",
    hint: 'upgrade queuectl on this machine; the database was left as it is',
  },
  worker_start_failed: {
    exit: 1,
    http: 500,
    message: 'worker {id} did not start: {problem}',
    hint: 'its log: {log}',
  },
  workers_still_running: {
    exit: 1,
    http: 500,
    message: '{count} still running after {seconds} s',
    hint: 'wait longer, or stop their jobs and put them back: queuectl worker stop --force',
  },
  move_incomplete: {
    exit: 1,
    http: 500,
    message: 'the two queues may differ after the move: {problem}',
    hint: 'somebody changed one of them meanwhile; nothing is lost in the old place: run it again',
  },
  wait_timeout: {
    exit: 124,
    http: 504,
    message: 'not final after {seconds} s: {ids}',
    hint: '{hint}',
  },
  check_failed: { exit: 1, http: 500, message: '{problem}', hint: '{hint}' },
  internal: {
    exit: 1,
    http: 500,
    message: 'something went wrong inside queuectl: {problem}',
    hint: 'QUEUECTL_DEBUG=1 shows where; please report it',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof kinds;
export const ERRORS: Readonly<Record<ErrorCode, ErrorKind>> = kinds;

export type Details = Readonly<Record<string, string | number>>;

/** The one error class that reaches a user; anything else is a bug. */
export class QueueError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;
  readonly hint: string | null;

  constructor(code: ErrorCode, details: Details = {}, options?: ErrorOptions) {
    super(fill(ERRORS[code].message, details), options);
    this.name = 'QueueError';
    this.code = code;
    this.details = details;
    this.hint = fill(ERRORS[code].hint ?? '', details) || null;
  }

  get exitCode(): number {
    return ERRORS[this.code].exit;
  }
}

function fill(template: string, details: Details): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => inWords(String(details[key] ?? '')));
}

/** What the system says of a failed call, without the names it has for errors and calls: those are for programmers. */
const SYSTEM_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^E[A-Z0-9]+: (.+?), [a-z]+( '.*')?$/s, '$1'],
  [/^connect ECONNREFUSED (.+)$/, 'nothing listens at $1'],
  [/^connect ENOENT (.+)$/, 'there is no socket $1'],
  [/^connect E[A-Z]+ (.+)$/, '$1 cannot be reached'],
  [/^getaddrinfo E[A-Z_]+ (.+)$/, "no host is known by the name '$1'"],
];

function inWords(text: string): string {
  const found = SYSTEM_MESSAGES.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
}
