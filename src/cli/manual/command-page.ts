// The manual page of one command: queuectl-enqueue(1).

import type { Command, OptionSpec } from '../command.ts';
import { optionsFor } from '../options/options.ts';
import { code, type ManualPage, type Reference, type Section, sentence, type Term, terms, text } from './page.ts';

export const MAIN_PAGE: Reference = { name: 'queuectl', section: 1 };
export const FILE_PAGE: Reference = { name: 'queuectl', section: 5 };
export const CONCEPT_PAGE: Reference = { name: 'queuectl', section: 7 };

export const pageName = (command: string): string => `queuectl-${command.replaceAll(' ', '-')}`;

/** `all` has the names of all commands: those of the same group are related. */
export function commandPage(command: Command, all: readonly string[]): ManualPage {
  const { name, summary } = command;
  return {
    name: pageName(name),
    section: 1,
    summary,
    sections: [synopsis(command), description(command), options(command), examples(command)],
    seeAlso: [MAIN_PAGE, FILE_PAGE, CONCEPT_PAGE, ...relatives(name, all)],
  };
}

const synopsis = ({ name, usage }: Command): Section => ({
  title: 'SYNOPSIS',
  content: [code(usage.map((line) => `queuectl ${name} ${line}`.trimEnd()))],
});

function description({ summary, aliases = [], notes = [], localOnly }: Command): Section {
  const names = aliases.map((alias) => `queuectl ${alias}`).join(', ');
  return {
    title: 'DESCRIPTION',
    content: [
      text(sentence(summary)),
      ...(names === '' ? [] : [text(`Also: ${names}.`)]),
      ...notes.map((note) => (note.includes('\n') ? code(note.split('\n')) : text(note))),
      ...(localOnly === undefined ? [] : [text(`This command does not work with --server: ${localOnly}.`)]),
    ],
  };
}

const options = (command: Command): Section => ({
  title: 'OPTIONS',
  content: [terms(optionTerms(optionsFor(command)))],
});

export const optionTerms = (specs: Readonly<Record<string, OptionSpec>>): Term[] =>
  Object.entries(specs)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, spec]) => [flag(name, spec), sentence(spec.help)]);

function flag(name: string, { kind, short, value = 'VALUE', optional }: OptionSpec): string {
  const placeholder = kind === 'flag' ? '' : optional ? ` [${value}]` : ` ${value}`;
  return `${short ? `-${short}, ` : ''}--${name}${placeholder}`;
}

const examples = (command: Command): Section => ({
  title: 'EXAMPLES',
  content: command.examples.flatMap(([line, about]) => [text(`${sentence(about).slice(0, -1)}:`), code([line])]),
});

function relatives(name: string, all: readonly string[]): Reference[] {
  const group = name.split(' ')[0];
  const others = all.filter((other) => other !== name && other.includes(' ') && other.startsWith(`${group} `));
  return others.map((other) => ({ name: pageName(other), section: 1 }));
}
