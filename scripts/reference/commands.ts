// docs/reference/cli.md: every command with its usage, options and examples.

import { type Command, GLOBAL_OPTIONS, type OptionSpec, type Purpose } from '../../src/cli/command.ts';
import { allCommands } from '../../src/cli/registry.ts';
import { type Block, code, table } from './block.ts';

const PAGE = 'reference/cli.md';

const SECTIONS: Readonly<Record<Purpose, string>> = {
  run: 'Run jobs',
  look: 'Inspect jobs',
  repair: 'Change and clean up jobs',
  'set up': 'Set up and administer',
};

export async function commandBlocks(): Promise<Block[]> {
  const commands = await allCommands();
  const parts = (Object.keys(SECTIONS) as Purpose[]).map((purpose) => {
    const members = commands.filter((one) => one.purpose === purpose);
    return [`## ${SECTIONS[purpose]}`, ...members.map(described)].join('\n\n');
  });
  return [
    { page: PAGE, name: 'contents', text: contents(commands) },
    { page: PAGE, name: 'global options', text: optionTable(Object.entries(GLOBAL_OPTIONS)) },
    { page: PAGE, name: 'commands', text: parts.join('\n\n') },
  ];
}

const contents = (commands: readonly Command[]): string =>
  table(
    ['command', 'description'],
    commands.map(({ name, summary }) => [`[${code(name)}](#queuectl-${name.replaceAll(' ', '-')})`, summary]),
  );

function described(command: Command): string {
  const { name, summary, aliases = [], usage, examples, notes = [] } = command;
  const options = Object.entries(command.options ?? {}).filter(([, { hidden }]) => !hidden);
  const parts = [
    `### queuectl ${name}`,
    `${sentence(summary)}${aliases.length > 0 ? ` Also: ${aliases.map((one) => code(`queuectl ${one}`)).join(', ')}.` : ''}`,
    ['```sh', ...usage.map((line) => `queuectl ${name} ${line}`.trimEnd()), '```'].join('\n'),
    options.length > 0 ? optionTable(options) : '',
    table(
      ['example', 'description'],
      examples.map(([line, about]) => [code(line), about]),
    ),
    ...notes.map(noteText),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const optionTable = (options: readonly [string, OptionSpec][]): string =>
  table(
    ['option', 'description'],
    options.map(([name, spec]) => [code(flag(name, spec)), spec.help]),
  );

function flag(name: string, { short, value, kind, optional }: OptionSpec): string {
  const placeholder = kind === 'flag' ? '' : optional ? ` [${value ?? 'VALUE'}]` : ` ${value ?? 'VALUE'}`;
  return `${short ? `-${short}, ` : ''}--${name}${placeholder}`;
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;

/** Escapes a note, which is plain text. */
const noteText = (note: string): string =>
  note.replace(/[<>*_|]/g, (sign) => (sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : `\\${sign}`));
