// Links in the documentation lead somewhere, and pages that the program names exist.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { repository } from '../setup/clone.ts';

const files = (...patterns: string[]): string[] =>
  spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: repository,
    encoding: 'utf8',
  })
    .stdout.split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(repository, file)));

const read = (file: string): string => fs.readFileSync(path.join(repository, file), 'utf8');
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
const pages = files('*.md');

const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^()\s]+)\)|<img src="([^"]+)"/g)]
    .map(([, target = '', picture = '']) => target || picture)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The anchors of a page's headings, as Git hosts make them. */
function anchorsOf(page: string): Set<string> {
  const headings = [
    ...read(page)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ];
  return new Set(headings.map(([, title = '']) => anchor(title)));
}

const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** What is wrong with a link, or null. */
function problemWith(page: string, target: string): string | null {
  const [file = '', fragment] = target.split('#');
  const found = file === '' ? page : path.join(path.dirname(page), file);
  if (!fs.existsSync(path.join(repository, found))) return `${page}: ${target} does not exist`;
  if (fragment === undefined || anchorsOf(found).has(fragment)) return null;
  return `${page}: ${found} has no heading #${fragment}`;
}

describe('the documentation', () => {
  test('has only links to existing files and headings', () => {
    assert.ok(pages.length > 40);
    const problems = pages.flatMap((page) => linksIn(read(page)).map((target) => problemWith(page, target)));
    assert.deepEqual(
      problems.filter((problem) => problem !== null),
      [],
    );
  });

  test('is reachable from its index, page by page', () => {
    const seen = new Set<string>();
    const visit = (page: string): void => {
      if (seen.has(page) || !pages.includes(page)) return;
      seen.add(page);
      for (const target of linksIn(read(page)))
        visit(path.join(path.dirname(page), target.split('#')[0] || path.basename(page)));
    };
    visit('README.md');
    const docs = pages.filter((page) => page.startsWith('docs/'));
    assert.deepEqual(
      docs.filter((page) => !seen.has(page)),
      [],
    );
  });

  test('sends no user to a decision record', () => {
    const forUsers = pages.filter(
      (page) => /^(README|docs\/)/.test(page) && !/^docs\/(decisions|contributing)\//.test(page),
    );
    const sent = forUsers.filter((page) => /decisions\/\d|\bdecision \d/i.test(read(page)));
    assert.deepEqual(sent, []);
  });

  test('names only source files that exist in ARCHITECTURE.md', () => {
    const named = [...read('ARCHITECTURE.md').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(named.length > 20);
    const isThere = (file: string) => ['', 'src'].some((folder) => fs.existsSync(path.join(repository, folder, file)));
    assert.deepEqual(
      named.filter((file) => !isThere(file)),
      [],
    );
  });

  test('has every page that the program, the tests and the configuration name', () => {
    const named = files(
      'docs',
      'src',
      'page',
      'ops',
      'scripts',
      'test',
      'bench',
      'torture',
      'CONTRIBUTING.md',
      'ARCHITECTURE.md',
    );
    const missing = named.flatMap((file) =>
      (/\.(png|svg|ico)$/.test(file) ? [] : (read(file).match(/\bdocs\/[\w./-]+\.md\b/g) ?? []))
        .filter((page) => !fs.existsSync(path.join(repository, page)))
        .map((page) => `${file}: ${page}`),
    );
    assert.deepEqual(missing, []);
  });
});
