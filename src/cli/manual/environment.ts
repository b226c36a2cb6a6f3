// The environment variables that queuectl reads, and those that jobs and hooks receive.

import type { Term } from './page.ts';

export const READ: readonly Term[] = [
  ['QUEUECTL_DB', 'database: a file path or a postgres:// URL; --db overrides it'],
  [
    'QUEUECTL_HOME',
    'directory of the default database, logs and worker files (default: $XDG_DATA_HOME/queuectl, else ~/.local/share/queuectl)',
  ],
  ['QUEUECTL_SERVER', 'URL of a queuectl serve to use instead of a database; --server overrides it'],
  [
    'QUEUECTL_TOKEN, QUEUECTL_TOKEN_FILE',
    'token for that server, or a file that contains it and that only you can read',
  ],
  ['QUEUECTL_OUTPUT', 'json is the same as --json on every command'],
  ['QUEUECTL_HOST', "host name to use for this machine's workers"],
  ['QUEUECTL_SECRET_KEY_FILE', 'file with the key that encrypts secrets'],
  ['QUEUECTL_DEBUG', '1 prints a stack trace with unexpected errors'],
  ['QUEUECTL_SETTING', 'overrides the setting of this name, for example QUEUECTL_MAX_RETRIES=5'],
  ['NO_COLOR', 'turns colour off'],
  ['PAGER', 'program that shows manual pages (default: less)'],
  ['VISUAL, EDITOR', 'editor that queuectl edit opens'],
  ['PGHOST, PGPASSWORD and others', 'PostgreSQL connection'],
  ['OTEL_*', 'export of traces'],
];

export const SET_FOR_JOBS: readonly Term[] = [
  ['QUEUECTL_JOB_ID', 'job ID; in a hook, the ID of the job that the hook is about'],
  ['QUEUECTL_ATTEMPT', 'attempt number, starting at 1'],
  ['QUEUECTL_QUEUE', 'named queue'],
  ['QUEUECTL_GROUP', 'group, if the job has one'],
  ['QUEUECTL_WORKER_ID', 'worker that runs the job'],
  ['QUEUECTL_DB', 'database, never with a password'],
  ['QUEUECTL_ARRAY_INDEX', 'index of a job created with --array'],
  ['QUEUECTL_SCHEDULED_AT', 'time of the scheduled run, for jobs of a schedule'],
  ['QUEUECTL_PROGRESS', 'file to write progress to: 40 resizing'],
  ['QUEUECTL_RESULT', 'file to write the result (JSON) to'],
  ['QUEUECTL_RETRY_AFTER', 'file to write the snooze delay to, for jobs with a snooze_code'],
  ['QUEUECTL_SERVER, QUEUECTL_TOKEN', 'job socket and job token, for jobs that cannot open the database'],
  ['QUEUECTL_LEASE', 'internal: identifies the processes of an attempt'],
  ['TRACEPARENT, TRACESTATE', 'trace context, if the job belongs to a trace'],
];

export const SET_FOR_HOOKS: readonly Term[] = [
  ['QUEUECTL_HOOK_EVENT', 'success, failure or dead'],
  ['QUEUECTL_HOOK_JOB_ID', 'ID of the job that the hook is about; unset for group hooks'],
  ['QUEUECTL_HOOK_ID', "ID of the hook's own job"],
  ['QUEUECTL_HOOK_JOB', 'the job as JSON, without the values of its variables'],
  ['QUEUECTL_HOOK_GROUP', 'group, for group hooks'],
  ['QUEUECTL_HOOK_DELIVERY', 'identifies this event: the same for every attempt of the hook'],
];
