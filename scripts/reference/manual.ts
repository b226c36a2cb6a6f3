// Tables that the documentation shares with the manual pages: variables, exit codes and concepts.

import { CONCEPTS } from '../../src/cli/manual/topic-pages.ts';
import { READ, SET_FOR_HOOKS, SET_FOR_JOBS } from '../../src/cli/manual/main-page.ts';
import { EXIT_CODES } from '../../src/cli/manual/main-page.ts';
import type { Term } from '../../src/cli/manual/page.ts';
import { type Block, code, table } from './block.ts';

const ENVIRONMENT = 'reference/environment.md';

export const manualBlocks = (): Block[] => [
  { page: ENVIRONMENT, name: 'variables that queuectl reads', text: variables(READ) },
  { page: ENVIRONMENT, name: 'variables of jobs', text: variables(SET_FOR_JOBS) },
  { page: ENVIRONMENT, name: 'variables of hooks', text: variables(SET_FOR_HOOKS) },
  { page: 'reference/cli.md', name: 'exit codes', text: table(['code', 'meaning'], EXIT_CODES) },
  { page: 'contributing/glossary.md', name: 'concepts', text: table(['word', 'meaning'], CONCEPTS) },
];

const variables = (terms: readonly Term[]): string =>
  table(
    ['variable', 'description'],
    terms.map(([word, explanation]) => [word.replace(/[A-Z][A-Z0-9_]+\*?/g, code), explanation]),
  );
