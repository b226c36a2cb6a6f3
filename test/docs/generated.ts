// Parts of the docs that are drawn from the code. A test compares them; UPDATE_DOCS=1 writes them anew.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const docs = path.join(import.meta.dirname, '..', '..', 'docs');

/** Fails when the part of the page between the marks of this name differs from `expected`. */
export function checkGenerated(page: string, name: string, expected: string): void {
  const file = path.join(docs, page);
  const text = fs.readFileSync(file, 'utf8');
  const [open, close] = [`<!-- ${name}: drawn from the code by test/docs -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [text.indexOf(open) + open.length, text.indexOf(close)];
  assert.ok(text.includes(open) && to >= from, `docs/${page} needs the lines\n${open}${close}`);
  if (process.env.UPDATE_DOCS)
    fs.writeFileSync(file, `${text.slice(0, from)}\n${expected}\n${text.slice(to)}`);
  else {
    const advice = `docs/${page} differs from the code: UPDATE_DOCS=1 scripts/node --test 'test/docs/*.test.ts' updates it`;
    assert.equal(text.slice(from, to), `\n${expected}\n`, advice);
  }
}

export const readPage = (page: string): string => fs.readFileSync(path.join(docs, page), 'utf8');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  return `${[line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')}\n`;
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|');
