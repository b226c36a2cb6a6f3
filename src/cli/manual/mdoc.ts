// Renders a manual page in the mdoc language, which both mandoc and groff format.

import { words } from '../render/kit/text.ts';
import type { Content, ManualPage, Section } from './page.ts';

/** Lines of text are at most this long, as style checkers want them. */
const LINE = 78;

/** `date` is the day of the release. */
export function mdoc(page: ManualPage, date: Date): string {
  const { name, section, summary, sections, seeAlso } = page;
  const lines = [
    `.Dd ${dayOf(date)}`,
    `.Dt ${name.toUpperCase()} ${section}`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd ${plain(summary)}`,
    ...sections.flatMap(sectionLines),
    ...(seeAlso.length === 0 ? [] : ['.Sh SEE ALSO', ...references(page)]),
  ];
  return `${lines.join('\n')}\n`;
}

function sectionLines({ title, content }: Section): string[] {
  const blocks = content.map(contentLines);
  return [
    `.Sh ${title}`,
    ...blocks.flatMap((lines, i) => (i > 0 && needsBreak(content[i]) ? ['.Pp', ...lines] : lines)),
  ];
}

/** Lists and displays start with a blank line of their own. */
const needsBreak = (content: Content | undefined): boolean => content?.kind === 'text';

function contentLines(content: Content): string[] {
  switch (content.kind) {
    case 'text':
      return textLines(content.text);
    case 'code':
      return ['.Bd -literal -offset indent', ...content.lines.map((line) => guarded(escaped(line))), '.Ed'];
    case 'terms':
      return [
        '.Bl -tag -width Ds',
        ...content.terms.flatMap(([word, explanation]) => [`.It ${argument(word)}`, ...textLines(explanation)]),
        '.El',
      ];
  }
}

/** Sections first, then names, as mandoc wants them. */
function references({ seeAlso }: ManualPage): string[] {
  const sorted = seeAlso.toSorted((a, b) => a.section - b.section || (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, section }, i) => `.Xr ${name} ${section}${i < sorted.length - 1 ? ' ,' : ''}`);
}

/** Each sentence starts a line, so that the formatter can space sentences. */
const textLines = (text: string): string[] =>
  text.split('\n').flatMap((paragraph, i) => [...(i > 0 ? ['.Pp'] : []), ...sentences(paragraph).flatMap(folded)]);

const sentences = (paragraph: string): string[] => paragraph.trim().split(/(?<=[A-Za-z0-9)'`][.!?]) (?=[A-Z])/);

const folded = (sentence: string): string[] => words(escaped(sentence), LINE).map(guarded);

/** Text after a macro on its line: a word that is the name of a macro must not be read as one. */
const plain = (text: string): string =>
  escaped(text)
    .split(' ')
    .map((word) => (/^[A-Z%][A-Za-z0-9]{1,2}$|^[.,:;()[\]?!|]$/.test(word) ? `\\&${word}` : word))
    .join(' ');

/** A delimiter at the end would not be bold. */
const argument = (text: string): string =>
  `Sy "${escaped(text)
    .replaceAll('"', '\\(dq')
    .replace(/[.,:;!?]$/, '$&\\&')}"`;

const escaped = (text: string): string => [...text].map((letter) => ESCAPES[letter] ?? letter).join('');

/** A dot at the start of a line starts a macro. */
const guarded = (line: string): string => line.replace(/^\./, '\\&.');

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  '`': '\\(ga',
  '~': '\\(ti',
  '^': '\\(ha',
  "'": '\\(aq',
  '·': '\\(pc',
  '×': '\\(mu',
  '…': '\\&...',
};

const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' });
