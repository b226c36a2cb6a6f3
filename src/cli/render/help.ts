// Help that fits a screen and leads with examples.

import type { Command, OptionSpec, Purpose } from '../command.ts';
import { GLOBAL_OPTIONS } from '../options.ts';
import { allCommands } from '../registry.ts';
import type { Paint, Style } from './style.ts';
import { words } from './text.ts';

const PURPOSES: Readonly<Record<Purpose, string>> = {
  run: 'Run things',
  look: 'Look',
  repair: 'Repair and tidy',
  'set up': 'Set up',
};

export async function overviewHelp(style: Style): Promise<string> {
  const commands = await allCommands();
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const sections = (Object.keys(PURPOSES) as Purpose[]).map((purpose) => {
    const members = commands.filter((command) => command.purpose === purpose);
    const lines = members.map(({ name, summary }) => `  ${style.accent(name.padEnd(width))}${summary}`);
    return [style.bold(PURPOSES[purpose]), ...lines].join('\n');
  });
  return [
    'queuectl runs commands in the background, and again when they fail.',
    '',
    `  queuectl enqueue 'make thumbnails'     ${style.dim('put a command in the queue')}`,
    `  queuectl worker start --count 2        ${style.dim('start two workers in the background')}`,
    `  queuectl status                        ${style.dim('see how it goes')}`,
    '',
    sections.join('\n\n'),
    '',
    style.dim('queuectl COMMAND --help has examples. --db TARGET: another queue. --json: data.'),
  ].join('\n');
}

export async function groupHelp(group: string, style: Style): Promise<string> {
  const members = (await allCommands()).filter(({ name }) => name.startsWith(`${group} `));
  const width = Math.max(...members.map(({ name }) => name.length)) + 2;
  return [
    ...members.map(({ name, summary }) => `  queuectl ${style.accent(name.padEnd(width))}${summary}`),
    '',
    style.dim(`queuectl ${group} VERB --help shows examples and options.`),
  ].join('\n');
}

export function commandHelp(command: Command, style: Style): string {
  const usage = command.usage.map((line) => `  queuectl ${command.name}${line ? ` ${line}` : ''}`);
  const options = Object.entries({ ...command.options, ...GLOBAL_OPTIONS }).filter(
    ([, spec]) => !spec.hidden,
  );
  const parts = [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(command.aliases?.length ? [style.dim(`Also: queuectl ${command.aliases.join(', queuectl ')}`)] : []),
    '',
    style.bold('Examples'),
    ...twoColumns(command.examples, style.dim),
    '',
    style.bold('Usage'),
    ...usage,
    '',
    style.bold('Options'),
    ...twoColumns(options.map(([name, spec]) => [flag(name, spec), spec.means])),
    ...(command.notes?.flatMap((note) => ['', ...note.split('\n').flatMap((line) => words(line, COLUMNS))]) ??
      []),
  ];
  return parts.join('\n');
}

function flag(name: string, spec: OptionSpec): string {
  const short = spec.short ? `-${spec.short}, ` : '';
  return `${short}--${name}${spec.kind === 'flag' ? '' : ` ${spec.value ?? 'VALUE'}`}`;
}

const COLUMNS = 80;
const WIDEST_FIRST_COLUMN = 42;

/** The second column is broken to fit; beside a first one that is too wide it goes below. */
function twoColumns(rows: readonly (readonly [string, string])[], paint: Paint = (text) => text): string[] {
  const fitting = rows.map(([first]) => first.length).filter((length) => length <= WIDEST_FIRST_COLUMN);
  const width = Math.max(0, ...fitting) + 4;
  return rows.flatMap(([first, second]) => {
    const [head = '', ...rest] = words(second, COLUMNS - width).map(paint);
    const below = rest.map((line) => ' '.repeat(width) + line);
    if (first.length + 4 <= width) return [`  ${first.padEnd(width - 2)}${head}`, ...below];
    return [`  ${first}`, ' '.repeat(width) + head, ...below];
  });
}
