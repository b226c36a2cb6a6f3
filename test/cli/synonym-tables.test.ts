// The tables of synonyms: every entry leads to a command, option, setting, state or field that exists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, GLOBAL_OPTIONS, type OptionSpec } from '../../src/cli/command.ts';
import { allCommands, COMMANDS } from '../../src/cli/registry.ts';
import { inputNames } from '../../src/job/fields/fields.ts';
import { STATES } from '../../src/job/job.ts';
import { SETTING_KEYS } from '../../src/settings/settings.ts';
import { commandSynonyms } from '../../src/text/synonyms/commands.ts';
import { fieldSynonyms } from '../../src/text/synonyms/fields.ts';
import { optionSynonyms } from '../../src/text/synonyms/options.ts';
import { settingSynonyms } from '../../src/text/synonyms/settings.ts';
import { stateSynonyms } from '../../src/text/synonyms/states.ts';

const specsOf = ({ options }: Command): Readonly<Record<string, OptionSpec>> => ({
  ...GLOBAL_OPTIONS,
  ...options,
});

/** Every 'queuectl a b' in a hint names a command, an alias or a group. */
function checkHint(key: string, hint: string): void {
  for (const [, first = '', second = ''] of hint.matchAll(/queuectl (?!COMMAND)([a-z-]+)(?: ([a-z-]+))?/g)) {
    const isKnown = [first, `${first} ${second}`, `queue ${first}`].some((name) => Object.hasOwn(COMMANDS, name));
    assert.ok(isKnown, `${key}: ${hint}`);
  }
}

test('every synonym of a command leads to a command with the same options', async () => {
  const { same, hints } = commandSynonyms();
  for (const [typed, [name, ...flags]] of same) {
    const load = COMMANDS[name];
    assert.ok(load, `${typed} -> ${name}`);
    assert.ok(!Object.hasOwn(COMMANDS, typed), `${typed} is a command itself`);
    const specs = specsOf((await load()).command);
    for (const flag of flags) assert.ok(specs[flag.slice(2)], `${typed} -> ${name} ${flag}`);
  }
  for (const [typed, hint] of hints) checkHint(typed, hint);
});

test('every synonym of an option leads to an option of its commands', async () => {
  const commands = await allCommands();
  const { same, hints } = optionSynonyms();
  for (const [key, option] of same) {
    const scope = key.split(' ').slice(0, -1).join(' ');
    const among = commands.filter(({ name }) => scope === '' || `${name} `.startsWith(`${scope} `));
    assert.ok(
      among.some((command) => Object.hasOwn(specsOf(command), option)),
      `${key} -> --${option}`,
    );
  }
  for (const [key, hint] of hints) {
    const scope = key.split(' ').slice(0, -1).join(' ');
    assert.ok(scope === '' || commands.some(({ name }) => `${name} `.startsWith(`${scope} `)), key);
    checkHint(key, hint);
  }
});

test('every synonym of a setting, state or field leads to an existing one', () => {
  for (const [name, key] of settingSynonyms()) assert.ok((SETTING_KEYS as string[]).includes(key), name);
  for (const [name, state] of stateSynonyms()) assert.ok((STATES as readonly string[]).includes(state), name);
  for (const [name, field] of fieldSynonyms()) assert.ok(inputNames().includes(field), name);
});

/** -n is how many: workers, lines, jobs or times. */
const HOW_MANY = ['count', 'limit', 'tail'];

test('a short option has one meaning in every command', async () => {
  const meanings = new Map<string, Set<string>>();
  for (const command of await allCommands())
    for (const [name, { short }] of Object.entries(specsOf(command)))
      if (short !== undefined)
        meanings.set(short, (meanings.get(short) ?? new Set()).add(HOW_MANY.includes(name) ? 'how many' : name));
  for (const [letter, names] of meanings) assert.equal(names.size, 1, `-${letter}: ${[...names].join(', ')}`);
});

test('prune, export and schedule import accept -q', async () => {
  for (const { name, options } of await allCommands())
    if (['prune', 'export', 'schedule import'].includes(name)) assert.equal(options?.queue?.short, 'q', name);
});
