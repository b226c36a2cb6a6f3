// Help that fits a screen and leads with examples.

import type { Command, OptionSpec, Purpose } from '../command.ts';
import { GLOBAL_OPTIONS } from '../options.ts';
import { allCommands } from '../registry.ts';
import type { Style } from './style.ts';

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
    'queuectl runs commands in the background, again when they fail, and keeps what happened.',
    '',
    `  queuectl enqueue 'make thumbnails'     ${style.dim('put a command in the queue')}`,
    `  queuectl worker start --count 2        ${style.dim('start two workers in the background')}`,
    `  queuectl status                        ${style.dim('see how it goes')}`,
    '',
    sections.join('\n\n'),
    '',
    style.dim(
      'queuectl COMMAND --help shows examples and options. --db FILE chooses the queue, --json gives data.',
    ),
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
    ...twoColumns(command.examples.map(([line, why]) => [line, style.dim(why)])),
    '',
    style.bold('Usage'),
    ...usage,
    '',
    style.bold('Options'),
    ...twoColumns(options.map(([name, spec]) => [flag(name, spec), spec.means])),
    ...(command.notes?.flatMap((note) => ['', note]) ?? []),
  ];
  return parts.join('\n');
}

function flag(name: string, spec: OptionSpec): string {
  const short = spec.short ? `-${spec.short}, ` : '';
  return `${short}--${name}${spec.kind === 'flag' ? '' : ` ${spec.value ?? 'VALUE'}`}`;
}

const WIDEST_FIRST_COLUMN = 50;

function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(WIDEST_FIRST_COLUMN, Math.max(...rows.map(([first]) => first.length))) + 2;
  return rows.map(([first, second]) =>
    first.length + 2 > width
      ? `  ${first}\n  ${' '.repeat(width)}${second}`
      : `  ${first.padEnd(width)}${second}`,
  );
}
