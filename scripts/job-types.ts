// The types of jobs in the package, written out from the table of job fields: what src/library/job-data.ts derives, so that programs
// see names and comments instead of conditional types.

import { INPUT_RULES, jsonEntries } from '../src/job/fields/fields.ts';
import type { Shape } from '../src/job/fields/shape.ts';

interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly help?: string | undefined;
}

export function jobTypes(): string {
  const given = Object.entries(INPUT_RULES)
    .filter(([, { input }]) => !input.isAlias)
    .map(
      ([
        name,
        {
          input: { shape, help },
        },
      ]) => ({ name, shape, help }),
    );
  const shapes = [...given, ...jsonEntries()].flatMap(({ shape }) => namedIn(shape));
  const named = new Map(shapes.map((shape) => [shape.name as string, shape]));
  return `// Jobs as they go in and out of the library.

/** ISO 8601, UTC, with milliseconds. */
export type Time = string;

${[...named].map(([name, shape]) => `export type ${name} = ${declared(shape)};\n`).join('\n')}
/** A job. */
export interface Job ${propertiesOf(jsonEntries(), false)}

/** A job as it is enqueued: with a command, or with a recipe that makes it. */
export type NewJob = NewJobFields & ({ readonly command: Command } | { readonly recipe: string });

/** What is left out has its default. */
export interface NewJobFields ${propertiesOf(given, true)}
`;
}

/** Each comes after those that it names. */
const namedIn = (shape: Shape): Shape[] => [
  ...[...(shape.of ?? []), ...Object.values({ ...shape.fields, ...shape.optional })].flatMap(namedIn),
  ...(shape.name === undefined ? [] : [shape]),
];

const propertiesOf = (properties: readonly Property[], isOptional: boolean): string =>
  `{\n${properties.map((property) => `  ${documented(property, isOptional)}\n`).join('')}}`;

const documented = ({ name, shape, help }: Property, isOptional: boolean, orUndefined = ''): string => {
  const comment = help === undefined ? '' : `/** ${help.charAt(0).toUpperCase()}${help.slice(1)}. */\n  `;
  return `${comment}readonly ${name}${isOptional ? '?' : ''}: ${typeOf(shape)}${orUndefined};`;
};

/** An object has a line for each property. */
const declared = (shape: Shape): string =>
  shape.kind === 'object'
    ? bodyOf(shape)
        .replace(/^\{ (.*) \}$/, '{\n  $1\n}')
        .replaceAll('; readonly', ';\n  readonly')
    : bodyOf(shape);

function inlineOf({ fields = {}, optional = {} }: Shape): string {
  const linesOf = (some: Readonly<Record<string, Shape>>, isOptional: boolean): string[] =>
    Object.entries(some).map(([name, shape]) =>
      documented({ name, shape }, isOptional, isOptional ? ' | undefined' : ''),
    );
  return `{ ${[...linesOf(fields, false), ...linesOf(optional, true)].join(' ')} }`;
}

const typeOf = (shape: Shape): string => shape.name ?? bodyOf(shape);

function bodyOf(shape: Shape): string {
  const { of = [], words = [] } = shape;
  const [first = 'unknown', ...others] = of.map(typeOf);
  switch (shape.kind) {
    case 'text':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'time':
      return 'Time';
    case 'null':
      return 'null';
    case 'any':
      return 'unknown';
    case 'words':
      return words.map((word) => (typeof word === 'string' ? `'${word}'` : String(word))).join(' | ');
    case 'list':
      return `readonly ${/\W/.test(first) ? `(${first})` : first}[]`;
    case 'map':
      return `Readonly<Record<string, ${first}>>`;
    case 'either':
      return [first, ...others].join(' | ');
    case 'object':
      return inlineOf(shape);
  }
}
