// queuectl(1): what the program does, and its commands.

import { type Command, GLOBAL_OPTIONS, type Purpose } from '../command.ts';
import { CONCEPT_PAGE, FILE_PAGE, MAIN_PAGE, optionTerms, pageName } from './command-page.ts';
import { code, type ManualPage, type Section, sentence, type Term, terms, text } from './page.ts';

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
  ['QUEUECTL_OUTPUT', 'json makes every command print JSON, like --json'],
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
  ['QUEUECTL_HOOK_DELIVERY', 'ID of this event, equal in all attempts of the hook'],
];

export const EXIT_CODES: readonly Term[] = [
  ['0', 'success'],
  ['1', 'failed at run time'],
  ['2', 'invalid usage or input; nothing was changed'],
  ['3', 'not found'],
  ['4', 'conflict, such as an ID that already exists or a job in the wrong state'],
  ['5', 'the database or server is unreachable, locked, damaged or too new'],
  ['124', 'wait timed out'],
  ['other', "run and wait exit with the job's exit code"],
];

const PURPOSES: Readonly<Record<Purpose, string>> = {
  run: 'Run jobs:',
  look: 'Inspect jobs:',
  repair: 'Change and clean up jobs:',
  'set up': 'Set up and administer:',
};

export function mainPage(commands: readonly Command[]): ManualPage {
  return {
    ...MAIN_PAGE,
    summary: 'durable job queue for shell commands',
    sections: [
      { title: 'SYNOPSIS', content: [code(['queuectl COMMAND [OPTION ...] [ARGUMENT ...]'])] },
      {
        title: 'DESCRIPTION',
        content: [
          text(
            'queuectl stores commands as jobs in a database. Workers run them in the background, retry failed jobs ' +
              'with a growing delay, and keep their output. Jobs survive crashes and reboots.',
          ),
          text(
            'The database is one SQLite file, or a PostgreSQL database for several hosts. It is created when the ' +
              'first job is enqueued. No server has to run.',
          ),
        ],
      },
      commandSection(commands),
      { title: 'OPTIONS', content: [text('Every command accepts:'), terms(optionTerms(GLOBAL_OPTIONS))] },
      { title: 'ENVIRONMENT', content: [text('queuectl reads:'), sentences(READ)] },
      {
        title: 'ENVIRONMENT OF JOBS',
        content: [sentences(SET_FOR_JOBS), text('Hooks also receive:'), sentences(SET_FOR_HOOKS)],
      },
      { title: 'FILES', content: [sentences(FILES)] },
      EXIT_STATUS,
      {
        title: 'EXAMPLES',
        content: [
          text('Enqueue a job, start a worker, and watch:'),
          code(["queuectl enqueue 'make thumbnails'", 'queuectl worker start', 'queuectl status --watch']),
        ],
      },
    ],
    seeAlso: [FILE_PAGE, CONCEPT_PAGE, ...commands.map(({ name }) => ({ name: pageName(name), section: 1 as const }))],
  };
}

const commandSection = (commands: readonly Command[]): Section => ({
  title: 'COMMANDS',
  content: (Object.keys(PURPOSES) as Purpose[]).flatMap((purpose) => [
    text(PURPOSES[purpose]),
    terms(
      commands.filter((command) => command.purpose === purpose).map(({ name, summary }) => [name, sentence(summary)]),
    ),
  ]),
});

const FILES = [
  ['~/.local/share/queuectl/queue.db', 'default database'],
  ['logs/', 'output of jobs, next to the database'],
  ['run/', 'logs and PID files of workers, next to the database'],
] as const;

export const EXIT_STATUS: Section = { title: 'EXIT STATUS', content: [sentences(EXIT_CODES)] };

function sentences(list: readonly (readonly [string, string])[]) {
  return terms(list.map(([word, explanation]) => [word, sentence(explanation)]));
}
