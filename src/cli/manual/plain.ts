// Renders a manual page as text for a terminal, laid out as `man` would.

import type { Style } from '../render/kit/style.ts';
import { words } from '../render/kit/text.ts';
import type { Content, ManualPage, Section } from './page.ts';

const INDENT = 4;
const WIDEST = 100;
const NARROWEST = 40;

export function plainText(page: ManualPage, style: Style, width: number): string {
  const columns = Math.max(NARROWEST, Math.min(WIDEST, width)) - INDENT;
  const { name, summary, sections, seeAlso } = page;
  const all: Section[] = [
    { title: 'NAME', content: [{ kind: 'text', text: `${name} - ${summary}` }] },
    ...sections,
    ...(seeAlso.length === 0 ? [] : [{ title: 'SEE ALSO', content: [seeAlsoText(page)] }]),
  ];
  return all.map((section) => sectionText(section, style, columns)).join('\n\n');
}

export const sectionText = ({ title, content }: Section, style: Style, columns: number): string =>
  [style.bold(title), content.map((one) => indented(contentLines(one, style, columns)).join('\n')).join('\n\n')].join(
    '\n',
  );

function contentLines(content: Content, style: Style, columns: number): string[] {
  switch (content.kind) {
    case 'text':
      return content.text.split('\n').flatMap((line) => words(line, columns));
    case 'code':
      return indented(content.lines);
    case 'terms':
      return content.terms.flatMap(([word, explanation]) => [
        style.accent(word),
        ...indented(explanation.split('\n').flatMap((line) => words(line, columns - INDENT))),
      ]);
  }
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(INDENT) + line));

const seeAlsoText = ({ seeAlso }: ManualPage): Content => ({
  kind: 'text',
  text: seeAlso.map(({ name, section }) => `${name}(${section})`).join(', '),
});
