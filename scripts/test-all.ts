// Runs every test file in an order that keeps the machine busy: the longest first, the others shuffled by digest, so
// that tests that wait (for leases, servers, torture) run next to those that compute. node --test would sort by name.
// Ends with the files that took longest.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { PLACE } from '../test/support/folder.ts';

const LONGEST = [
  'browser/page',
  'store/postgres',
  'postgres/workers',
  'cli/migrate',
  'torture/postgres',
  'postgres/commands',
  'torture/torture',
  'cli/over-http-whole',
  'setup/oldest-node',
  'cli/over-http',
  'store/postgres-model',
  'fault/full-disk',
  'cli/hosts',
  'store/postgres-plans',
  'cli/completions',
  'postgres/partition',
  'postgres/lost-host',
  'job/new-field',
  'store/sqlite',
  'setup/install',
  'setup/tools',
];

/** Their files run in one process for each directory, which loads the modules once: they start no processes and change none. */
const IN_ONE_PROCESS =
  'access errors filter flow job page queue remote report schedule secrets series server server/auth server/live settings text time tracing transfer';
/** They replace a global, or start processes. */
const ALONE = ['job/new-field', 'server/live/clients'];
const SHOWN = 10;

const testFile = (name: string): string => `test/${name}.test.ts`;

const root = path.join(import.meta.dirname, '..');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

process.exitCode = 1; // until all tests have passed
const tests = run({
  cwd: root,
  files: inOrder(together(fs.globSync('test/**/*.test.ts', { cwd: root }))).map((file) => path.resolve(root, file)),
  concurrency: Number(process.argv[2]),
  signal: stopping.signal,
});
const tookMs = new Map<string, number>();
tests.on('test:summary', ({ file, success, duration_ms }) => {
  if (file !== undefined)
    tookMs.set(file.startsWith(root) ? path.relative(root, file) : path.basename(file), duration_ms);
  else if (success) process.exitCode = 0;
});
tests
  .compose(spec)
  .on('end', () => console.log(slowest()))
  .pipe(process.stdout, { end: false });

function slowest(): string {
  const files = [...tookMs].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
  const lines = files.map(([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
  return ['slowest files:', ...lines].join('\n');
}

/** Replaces the files of a directory by one that imports them. One that cannot be loaded fails alone. */
function together(files: readonly string[]): string[] {
  const folder = process.env[PLACE];
  if (folder === undefined) return [...files];
  const alone = new Set(ALONE.map(testFile));
  const shared = new Map<string, string[]>();
  for (const directory of IN_ONE_PROCESS.split(' ')) {
    const own = files.filter((file) => path.dirname(file) === `test/${directory}` && !alone.has(file));
    if (own.length > 1) shared.set(path.join(folder, `test ${directory.replace('/', ' ')}.mjs`), own);
  }
  for (const [name, own] of shared) fs.writeFileSync(name, importing(own));
  const all = new Set([...shared.values()].flat());
  return [...shared.keys(), ...files.filter((file) => !all.has(file))];
}

function importing(files: readonly string[]): string {
  const paths = JSON.stringify(files.map((file) => path.join(root, file)));
  return `
import { test } from 'node:test';
for (const file of ${paths}) await import(file).catch((error) => test(file, () => { throw error; }));
`;
}

function inOrder(files: readonly string[]): string[] {
  const digest = (file: string): string => createHash('sha256').update(file).digest('hex');
  const shuffled = files.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));
  const shared = files.filter((file) => path.isAbsolute(file));
  const long = [...LONGEST.map(testFile).filter((file) => files.includes(file)), ...shared];
  return [...long, ...shuffled.filter((file) => !long.includes(file))];
}
