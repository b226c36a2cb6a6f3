// queuectl(1): what the program does, and its commands.

import { type Command, GLOBAL_OPTIONS, type Purpose } from '../command.ts';
import { CONCEPT_PAGE, FILE_PAGE, MAIN_PAGE, optionTerms, pageName } from './command-page.ts';
import { READ, SET_FOR_HOOKS, SET_FOR_JOBS } from './environment.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { code, type ManualPage, type Section, sentence, terms, text } from './page.ts';

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
