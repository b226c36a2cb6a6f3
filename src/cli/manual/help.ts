// `queuectl help COMMAND` and `queuectl help TOPIC`: manual pages in a pager.

import { namedLine, unknownCommand } from '../command-name.ts';
import { allCommands, COMMANDS } from '../registry.ts';
import type { Terminal } from '../terminal.ts';
import { commandPage } from './command-page.ts';
import type { Content, ManualPage, Section } from './page.ts';
import { page as showPage } from './pager.ts';
import { mainPage } from './main-page.ts';
import { conceptPage, filePage } from './topic-pages.ts';
import type { Style } from '../render/kit/style.ts';
import { words } from '../render/kit/text.ts';

/** Columns of text that is not printed to a terminal. */
const USUAL_WIDTH = 80;

export async function showHelp(
  words: readonly string[],
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const found = (await topicPage(words.join('-'))) ?? (await pageOfCommand(words));
  await showPage(plainText(found, terminal.style, terminal.width ?? USUAL_WIDTH), terminal, environment);
}

async function pageOfCommand(words: readonly string[]): Promise<ManualPage> {
  const { name, load } = namedLine(words);
  if (!load) throw unknownCommand(name, `topics of queuectl help: ${TOPIC_NAMES.join(', ')}`);
  return commandPage((await load()).command, Object.keys(COMMANDS));
}

export async function allPages(): Promise<ManualPage[]> {
  const commands = await allCommands();
  const names = commands.map(({ name }) => name);
  return [mainPage(commands), filePage(), conceptPage(), ...commands.map((command) => commandPage(command, names))];
}

/** The sections of pages that users can ask for by a word. */
const TOPICS: Readonly<Record<string, readonly [page: () => Promise<ManualPage>, section: string]>> = {
  settings: [async () => filePage(), 'SETTINGS'],
  fields: [async () => filePage(), 'JOB FIELDS'],
  filters: [async () => filePage(), 'FILTERS'],
  concepts: [async () => conceptPage(), 'DESCRIPTION'],
  environment: [async () => mainPage(await allCommands()), 'ENVIRONMENT'],
  'exit-codes': [async () => mainPage(await allCommands()), 'EXIT STATUS'],
};

const TOPIC_NAMES = Object.keys(TOPICS);

/** Returns the page reduced to the topic, or null if there is no such topic. */
async function topicPage(topic: string): Promise<ManualPage | null> {
  const found = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (!found) return null;
  const [page, title] = found;
  const whole = await page();
  return { ...whole, sections: whole.sections.filter((section) => section.title.startsWith(title)) };
}

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

const sectionText = ({ title, content }: Section, style: Style, columns: number): string =>
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
