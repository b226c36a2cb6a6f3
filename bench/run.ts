// npm run bench: prints one table in which every figure is a ratio to something measured in the same run. Options: npm
// run bench -- --json, or with the names of rows: npm run bench -- start-up drain

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../src/cli/render/kit/table.ts';
import { leftOut } from './peers.ts';
import type { Bench, Row } from './row.ts';

const folder = join(import.meta.dirname, 'rows');
const [json, names] = [process.argv.includes('--json'), process.argv.slice(2).filter((word) => !word.startsWith('--'))];

const files = readdirSync(folder).sort();
const all = await Promise.all(
  files.map(async (file) => ((await import(join(folder, file))) as { bench: Bench }).bench),
);
const unknown = process.argv.slice(2).find((word) => word !== '--json' && all.every(({ name }) => name !== word));
if (unknown !== undefined) {
  console.error(`usage: npm run bench -- [--json] [ROW...]\nrows: ${all.map(({ name }) => name).join(' ')}`);
  process.exit(unknown === '--help' ? 0 : 2);
}

const rows: Row[] = [];
for (const bench of all) {
  if (names.length > 0 && !names.includes(bench.name)) continue;
  rows.push(...(await bench.run((line) => progress(`${bench.name}: ${line}`))));
}
progress('');
console.log(json ? JSON.stringify(rows, null, 2) : asTable(rows));
for (const line of leftOut()) console.error(line);

function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
}

function asTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.measure,
    row.ours,
    row.against,
    row.theirs,
    row.ratio.toFixed(2),
    row.reach,
    row.reached ? 'reached' : 'short',
  ]);
  const columns = [
    { title: 'measure' },
    { title: 'ours', align: 'right' },
    { title: 'against' },
    { title: 'theirs', align: 'right' },
    { title: 'ratio', align: 'right' },
    { title: 'reach', align: 'right' },
    { title: '' },
  ] as const;
  return table(columns, cells, null);
}
