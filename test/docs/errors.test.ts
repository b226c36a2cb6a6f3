// docs/errors.md and the catalogue of errors say the same, whichever way one looks.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorKinds, type ErrorCode, type ErrorKind } from '../../src/errors/errors.ts';
import { checkGenerated, readPage, table } from './generated.ts';

const catalogue = Object.entries(errorKinds()) as [ErrorCode, ErrorKind][];
const exits = [...new Set(catalogue.map(([, { exit }]) => exit))].sort((a, b) => a - b);
const documented = (): (string | undefined)[] =>
  [...readPage('errors.md').matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);

describe('docs/errors.md', () => {
  for (const exit of exits) {
    test(`says of exit code ${exit} what the catalogue says`, () => {
      checkGenerated('errors.md', `exit ${exit}`, errorsOf(exit));
    });
  }

  test('lists every error there is', () => {
    assert.deepEqual(
      catalogue.map(([code]) => code).filter((code) => !documented().includes(code)),
      [],
    );
  });

  test('lists no error that there is not', () => {
    assert.deepEqual(
      documented().filter((code) => !Object.hasOwn(errorKinds(), code ?? '')),
      [],
    );
  });
});

describe('the catalogue', () => {
  test('uses the exit codes of the contract', () => assert.deepEqual(exits, [1, 2, 3, 4, 5, 124]));

  test('gives each exit code one kind of HTTP status', () => {
    const whatClientsDidWrong = [400, 401, 403, 405, 408, 413, 415, 416, 421, 422, 429];
    const kinds: Record<number, number[]> = {
      1: [500],
      2: whatClientsDidWrong,
      3: [404],
      4: [409, 429],
      5: [503],
      124: [504],
    };
    for (const [code, { exit, http }] of catalogue) assert.ok(kinds[exit]?.includes(http), code);
  });

  test('has sentences that start small and end without a full stop, as they follow a prefix', () => {
    for (const [code, { message }] of catalogue) assert.doesNotMatch(message, /^[A-Z]|\.$/, code);
  });
});

function errorsOf(exit: number): string {
  const rows = catalogue.filter(([, kind]) => kind.exit === exit);
  return table(
    ['code', 'HTTP', 'sentence', 'hint'],
    rows.map(([code, { http, message, hint }]) => [`\`${code}\``, String(http), message, hint ?? '']),
  );
}
