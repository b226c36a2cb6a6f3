// Manual pages: complete, consistent, and valid mdoc.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { allPages } from '../../src/cli/manual/help.ts';
import { mdoc } from '../../src/cli/manual/mdoc.ts';
import { code, type Content, type ManualPage, terms, text } from '../../src/cli/manual/page.ts';
import { page as show } from '../../src/cli/manual/pager.ts';
import { plainText } from '../../src/cli/manual/help.ts';
import { allCommands } from '../../src/cli/registry.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { SETTING_KEYS } from '../../src/settings/settings.ts';
import { temporaryFolder } from '../support/folder.ts';

const DATE = new Date('2026-11-18T00:00:00Z');

const hasMandoc = spawnSync('mandoc', ['-T', 'lint'], { input: '' }).error === undefined;

const pageWith = (content: readonly Content[]): ManualPage => ({
  name: 'queuectl-x',
  section: 1,
  summary: 'test',
  sections: [{ title: 'DESCRIPTION', content }],
  seeAlso: [],
});

/** The lines of the source below the heading of the section. */
const source = (...content: Content[]): string[] =>
  mdoc(pageWith(content), DATE).trimEnd().split('.Sh DESCRIPTION\n')[1]?.split('\n') ?? [];

describe('manual pages', () => {
  test('mandoc finds no mistakes in them', { skip: !hasMandoc && 'needs mandoc' }, async (t) => {
    const folder = temporaryFolder(t);
    const files = (await allPages()).map((page) => {
      const file = path.join(folder, `${page.name}.${page.section}`);
      fs.writeFileSync(file, mdoc(page, DATE));
      return file;
    });
    const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', ...files], { encoding: 'utf8' });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '' });
  });

  test('every command has one with each of its visible options', async () => {
    const pages = new Map((await allPages()).map((page) => [`${page.name}(${page.section})`, mdoc(page, DATE)]));
    for (const { name, options = {}, summary } of await allCommands()) {
      const page = pages.get(`queuectl-${name.replaceAll(' ', '-')}(1)`) ?? '';
      assert.match(page, new RegExp(`^\\.Nd ${RegExp.escape(summary.slice(0, 3))}`, 'm'), name);
      const listed = [...page.matchAll(/^\.It Sy ".*?\\-\\-([\w\\-]+)/gm)].map(([, flag]) =>
        flag?.replaceAll('\\', ''),
      );
      for (const [option, { hidden }] of Object.entries(options))
        assert.equal(listed.includes(option), !hidden, `${name} --${option}`);
    }
  });

  test('queuectl(5) explains every setting', async () => {
    const [, page] = await allPages();
    assert.equal(page?.section, 5);
    const source = page ? mdoc(page, DATE) : '';
    for (const key of SETTING_KEYS) assert.ok(source.includes(`.It Sy "${key}"`), key);
  });

  test('refer only to existing pages, and to each page once', async () => {
    const pages = await allPages();
    const known = new Set(pages.map(({ name, section }) => `${name}(${section})`));
    for (const { name, seeAlso } of pages) {
      const references = seeAlso.map((other) => `${other.name}(${other.section})`);
      assert.deepEqual(
        references.filter((reference) => !known.has(reference)),
        [],
        name,
      );
      assert.equal(new Set(references).size, references.length, name);
    }
  });

  test('have no source line above 80 characters, except in literal text', async () => {
    for (const page of await allPages()) {
      const filled = mdoc(page, DATE).replace(/^\.Bd -literal[\s\S]*?^\.Ed$/gm, '');
      const long = filled.split('\n').find((line) => line.length > 80 && !line.startsWith('.'));
      assert.equal(long, undefined, page.name);
    }
  });

  test('are dated with the release, so that builds are identical', () => {
    assert.match(mdoc(pageWith([]), DATE), /^\.Dd November 18, 2026\n\.Dt QUEUECTL-X 1\n\.Os\n/);
  });
});

describe('the source of a manual page', () => {
  test('starts each sentence on its own line, and folds long ones', () => {
    assert.deepEqual(source(text('One. Two.')), ['One.', 'Two.']);
    assert.ok(source(text('word '.repeat(40))).length > 2);
  });

  test('escapes everything that formatters would interpret', () => {
    assert.deepEqual(source(text("a\\b -c 'd' `e` ~f ^g")), ['a\\eb \\-c \\(aqd\\(aq \\(gae\\(ga \\(tif \\(hag']);
    assert.deepEqual(source(code(['.hidden', 'plain'])), ['.Bd -literal -offset indent', '\\&.hidden', 'plain', '.Ed']);
    assert.deepEqual(source(terms([['say "x"', '.5 of it.']])), [
      '.Bl -tag -width Ds',
      '.It Sy "say \\(dqx\\(dq"',
      '\\&.5 of it.',
      '.El',
    ]);
  });

  test('separates paragraphs', () => {
    assert.deepEqual(source(text('One.'), text('Two.')), ['One.', '.Pp', 'Two.']);
  });
});

test('on a terminal, a manual page fits its width', async () => {
  const style = styleFor(false);
  for (const page of await allPages()) {
    const filled = page.sections.map((section) => ({
      ...section,
      content: section.content.filter(({ kind }) => kind !== 'code'),
    }));
    const wide = plainText({ ...page, sections: filled }, style, 60)
      .split('\n')
      .find((line) => line.length > 60);
    assert.equal(wide, undefined, page.name);
  }
});

describe('the pager', () => {
  const terminal = (width: number | null) => {
    const printed: string[] = [];
    const out = (text: string | Uint8Array): void => void printed.push(String(text));
    return { printed, terminal: { width, out } as Terminal };
  };

  test('is not used if stdout is not a terminal', async () => {
    const { printed, terminal: piped } = terminal(null);
    await show('text', piped, { PAGER: 'exit 3' });
    assert.deepEqual(printed, ['text\n']);
  });

  test('gets the text on a terminal', async () => {
    const { printed, terminal: shown } = terminal(80);
    await show('text', shown, { PAGER: 'grep -q "^text$"' });
    assert.deepEqual(printed, []);
  });

  test('is replaced by plain output if it does not exist or is switched off', async () => {
    for (const PAGER of ['', 'exec /nonexistent/pager 2>/dev/null']) {
      const { printed, terminal: shown } = terminal(80);
      await show('text', shown, { PAGER });
      assert.deepEqual(printed, ['text\n'], PAGER);
    }
  });
});
