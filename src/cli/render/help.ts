// Help texts that fit on a screen and start with examples.

import type { Command, OptionSpec, Purpose, Topic } from '../command.ts';
import { own } from '../own.ts';
import { optionsFor } from '../options/options.ts';
import { allCommands } from '../registry.ts';
import type { Paint, Style } from './kit/style.ts';
import { words } from './kit/text.ts';

const PURPOSES: Readonly<Record<Purpose, string>> = {
  run: 'Run jobs',
  look: 'Inspect jobs',
  repair: 'Repair and clean up',
  'set up': 'Set up',
};

const TOPICS: readonly Topic[] = ['workflow', 'hooks', 'limits', 'outcome', 'environment', 'isolation', 'filter'];

/** Earlier names of topics, which --help still accepts. */
const TOPIC_ALIASES: Readonly<Record<string, Topic>> = { flow: 'workflow', confinement: 'isolation' };

/** Commands of two words are listed under their first word. */
const GROUPS: Readonly<Record<string, { readonly purpose: Purpose; readonly about: string }>> = {
  worker: { purpose: 'run', about: 'run jobs' },
  schedule: { purpose: 'run', about: 'timed jobs' },
  group: { purpose: 'look', about: 'groups of jobs' },
  result: { purpose: 'look', about: 'results of jobs (JSON)' },
  dlq: { purpose: 'repair', about: 'dead letter queue: jobs with no retries left' },
  queue: { purpose: 'repair', about: 'limit and pause named queues' },
  config: { purpose: 'set up', about: 'settings' },
  sandbox: { purpose: 'set up', about: 'restrict what jobs can access' },
  user: { purpose: 'set up', about: 'accounts of people for queuectl serve' },
  token: { purpose: 'set up', about: 'API tokens for queuectl serve' },
  service: { purpose: 'set up', about: 'run queuectl as a system service' },
  recipe: { purpose: 'set up', about: 'command templates with parameters' },
  policy: { purpose: 'set up', about: 'restrict which commands may run' },
  secret: { purpose: 'set up', about: 'encrypted values for jobs' },
};

interface Entry {
  readonly name: string;
  readonly purpose: Purpose;
  readonly summary: string;
}

function entriesOf(commands: readonly Command[]): Entry[] {
  const single = commands.filter(({ name }) => !name.includes(' '));
  const pairs = Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  );
  const groups = [...pairs].map(([name, members]): Entry => {
    const { purpose, about } = GROUPS[name] ?? { purpose: 'look', about: '' };
    return { name, purpose, summary: `${about}: ${members.map((one) => one.name.split(' ')[1]).join(', ')}` };
  });
  return [...single, ...groups];
}

export async function overviewHelp(style: Style): Promise<string> {
  const entries = entriesOf(await allCommands());
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2;
  const sections = (Object.keys(PURPOSES) as Purpose[]).map((purpose) => {
    const lines = entries
      .filter((entry) => entry.purpose === purpose)
      .map(({ name, summary }) => {
        const [first = '', ...rest] = words(summary, COLUMNS - width - 4);
        return `  ${style.accent(name.padEnd(width))}${first}${rest.length > 0 ? ' ...' : ''}`; // one line each, to fit on a screen
      });
    return [style.bold(PURPOSES[purpose]), ...lines].join('\n');
  });
  return [
    'queuectl runs commands in the background and retries them when they fail.',
    `  queuectl enqueue 'make thumbnails'     ${style.dim('add a job to the queue')}`,
    `  queuectl worker start --count 2        ${style.dim('start two workers in the background')}`,
    `  queuectl status                        ${style.dim('show job counts and workers')}`,
    '',
    sections.join('\n\n'),
    '',
    style.dim('Examples: queuectl COMMAND --help. Other database: --db TARGET. JSON: --json.'),
  ].join('\n');
}

export async function groupHelp(group: string, style: Style): Promise<string> {
  const members = (await allCommands()).filter(({ name }) => name.startsWith(`${group} `));
  const width = Math.max(...members.map(({ name }) => name.length)) + 2;
  return [
    ...members.map(({ name, summary }) => `  queuectl ${style.accent(name.padEnd(width))}${summary}`),
    '',
    style.dim(`Show examples and options with queuectl ${group} VERB --help.`),
  ].join('\n');
}

export function commandHelp(command: Command, style: Style, topic = ''): string {
  const name = own(TOPIC_ALIASES, topic) ?? topic;
  const known = TOPICS.find((one) => one === name && optionsOf(command, one).length > 0);
  return known ? topicHelp(command, known, style) : wholeHelp(command, style);
}

type NamedOption = [string, OptionSpec];

/** Returns the options of a topic, or those without one. */
const optionsOf = (command: Command, topic?: Topic): NamedOption[] =>
  Object.entries(optionsFor(command)).filter(([, spec]) => !spec.hidden && spec.topic === topic);

const explained = (options: readonly NamedOption[]): string[] =>
  twoColumns(options.map(([name, spec]) => [flag(name, spec), spec.help]));

const topicHelp = (command: Command, topic: Topic, style: Style): string =>
  [style.bold(`queuectl ${command.name}: ${topic}`), ...explained(optionsOf(command, topic))].join('\n');

/** Lists the option names of each topic on one line, as many as fit. */
function topicsOf(command: Command, style: Style): string[] {
  const topics = TOPICS.filter((topic) => optionsOf(command, topic).length > 0);
  if (topics.length === 0) return [];
  const names = (topic: Topic): string => {
    const all = optionsOf(command, topic)
      .map(([name]) => `--${name}`)
      .join(' ');
    const [first = '', ...rest] = words(all, TOPIC_NAMES);
    return rest.length === 0 ? first : `${first} ...`;
  };
  return [
    '',
    `${style.bold('More options')}: show them with --help TOPIC`,
    ...twoColumns(topics.map((topic) => [topic, names(topic)])),
  ];
}

function wholeHelp(command: Command, style: Style): string {
  const usage = command.usage.map((line) => `  queuectl ${command.name}${line ? ` ${line}` : ''}`);
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
    ...explained(optionsOf(command)),
    ...topicsOf(command, style),
    ...(command.notes?.flatMap((note) => ['', ...note.split('\n').flatMap((line) => words(line, COLUMNS))]) ?? []),
  ];
  return parts.join('\n');
}

function flag(name: string, spec: OptionSpec): string {
  const short = spec.short ? `-${spec.short}, ` : '';
  return `${short}--${name}${spec.kind === 'flag' ? '' : ` ${spec.value ?? 'VALUE'}`}`;
}

const COLUMNS = 80;
/** The width for option names: a line without the topic and the dots. */
const TOPIC_NAMES = COLUMNS - 'environment'.length - 6 - 4;
const WIDEST_FIRST_COLUMN = 42;

/** Wraps the second column. If the first one is too wide, the second starts on the next line. */
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
