// Every manual page, and the topics of `queuectl help`.

import { allCommands } from '../registry.ts';
import { commandPage } from './command-page.ts';
import { mainPage } from './main-page.ts';
import type { ManualPage } from './page.ts';
import { conceptPage, filePage } from './topic-pages.ts';

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

export const TOPIC_NAMES = Object.keys(TOPICS);

/** Returns the page reduced to the topic, or null if there is no such topic. */
export async function topicPage(topic: string): Promise<ManualPage | null> {
  const found = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (!found) return null;
  const [page, title] = found;
  const whole = await page();
  return { ...whole, sections: whole.sections.filter((section) => section.title.startsWith(title)) };
}
