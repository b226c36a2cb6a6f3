// Runs every test file in an order that keeps the machine busy: the longest first, the others shuffled by digest, so
// that tests that wait (for leases, servers, torture) run next to those that compute. node --test would sort by name.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const LONGEST = [
  'browser/page',
  'torture/postgres',
  'postgres/commands',
  'store/postgres',
  'torture/torture',
  'postgres/workers',
  'setup/oldest-node',
  'cli/over-http-whole',
  'cli/over-http',
  'setup/install',
  'cli/hosts',
  'store/postgres-plans',
  'store/postgres-model',
  'postgres/lost-host',
  'postgres/partition',
];

const root = path.join(import.meta.dirname, '..');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

process.exitCode = 1; // until all tests have passed
const tests = run({
  cwd: root,
  files: inOrder(fs.globSync('test/**/*.test.ts', { cwd: root })).map((file) => path.join(root, file)),
  concurrency: Number(process.argv[2]),
  signal: stopping.signal,
});
tests.on('test:summary', ({ file, success }) => {
  if (file === undefined && success) process.exitCode = 0;
});
tests.compose(spec).pipe(process.stdout);

function inOrder(files: readonly string[]): string[] {
  const digest = (file: string): string => createHash('sha256').update(file).digest('hex');
  const shuffled = files.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));
  const long = LONGEST.map((name) => `test/${name}.test.ts`).filter((file) => files.includes(file));
  return [...long, ...shuffled.filter((file) => !long.includes(file))];
}
