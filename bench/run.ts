// npm run bench: prints each row as soon as it is measured. Every figure is a ratio to something measured in the same
// run. The exit code is 1 if a row failed.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import { leftOut } from './peers.ts';
import { type Format, FORMATS } from './report.ts';
import type { Bench } from './row.ts';
import { type Result, runBench } from './runner.ts';

const FLAG = { type: 'boolean' } as const;
const USAGE = 'npm run bench -- [--rounds N] [--json | --markdown] [ROW...], or --list';
const folder = join(import.meta.dirname, 'rows');

const files = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
const all = files
  .flatMap((file): Bench[] => file.benches)
  .sort((a, b) => Number(a.on === 'PostgreSQL') - Number(b.on === 'PostgreSQL'));
const { chosen, rounds, format } = readArguments();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)); // clears up

console.error(await describeMachine());
if (format.head) console.log(format.head);
let failed = 0;
for (const [i, bench] of chosen.entries()) {
  const say = (line: string): void => progress(`[${i + 1}/${chosen.length}] ${bench.name}: ${line}`);
  await runBench(bench, rounds, say, note);
}
for (const line of leftOut()) console.error(line);
if (failed > 0) console.error(`${failed} of the rows failed`);
process.exit(failed > 0 ? 1 : 0);

function note(result: Result): void {
  progress('');
  console.log(format.row(result));
  if (result.error === undefined) return;
  failed++;
  console.error(`failed: ${result.bench}: ${result.measure}: ${result.error}`);
}

function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line.slice(0, process.stderr.columns - 1)}`);
}

function readArguments(): { chosen: Bench[]; rounds: number | undefined; format: Format } {
  const options = { list: FLAG, help: FLAG, json: FLAG, markdown: FLAG, rounds: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) end(0, usage());
    if (values.list) end(0, all.map(({ name, summary }) => `${name.padEnd(20)} ${summary}`).join('\n'));
    const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
    if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds takes a number');
    const format = FORMATS[values.json ? 'json' : values.markdown ? 'markdown' : 'text'];
    return {
      chosen: positionals.length === 0 ? all.filter(({ isExtra }) => !isExtra) : positionals.flatMap(named),
      rounds,
      format,
    };
  } catch (error) {
    return end(2, `${(error as Error).message}\n${usage()}`);
  }
}

/** Returns the bench of this name, or those whose names begin with it, such as all of `postgres`. */
function named(name: string): Bench[] {
  const exact = all.filter((bench) => bench.name === name);
  const found = exact.length > 0 ? exact : all.filter((bench) => bench.name.startsWith(`${name}-`));
  if (found.length === 0) throw new Error(`unknown row '${name}'`);
  return found;
}

function usage(): string {
  return `usage: ${USAGE}\nrows: ${all.map(({ name }) => name).join(' ')}`;
}

function end(code: number, text: string): never {
  if (code === 0) console.log(text);
  else console.error(text);
  process.exit(code);
}
