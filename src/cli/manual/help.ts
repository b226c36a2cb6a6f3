// `queuectl help COMMAND` and `queuectl help TOPIC`: manual pages in a pager.

import { namedLine, unknownCommand } from '../command-name.ts';
import { COMMANDS } from '../registry.ts';
import type { Terminal } from '../terminal.ts';
import { commandPage } from './command-page.ts';
import { TOPIC_NAMES, topicPage } from './manual.ts';
import type { ManualPage } from './page.ts';
import { page as showPage } from './pager.ts';
import { plainText } from './plain.ts';

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
