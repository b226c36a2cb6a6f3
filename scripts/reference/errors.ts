// docs/reference/errors.md: the error catalogue, one table for each exit code.

import { type ErrorCode, type ErrorKind, errorKinds } from '../../src/errors/errors.ts';
import { type Block, code, table } from './block.ts';

export function errorBlocks(): Block[] {
  const catalogue = Object.entries(errorKinds()) as [ErrorCode, ErrorKind][];
  const exits = [...new Set(catalogue.map(([, { exit }]) => exit))].sort((a, b) => a - b);
  return exits.map((exit) => ({
    page: 'reference/errors.md',
    name: `exit ${exit}`,
    text: table(
      ['code', 'HTTP', 'message', 'hint'],
      catalogue
        .filter(([, kind]) => kind.exit === exit)
        .map(([name, { http, message, hint }]) => [code(name), String(http), message, hint ?? '']),
    ),
  }));
}
