// Generates the job types of the package from the table of job fields. They equal the types in src/library/job-data.ts,
// but show names and comments instead of conditional types.

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
  return `// The jobs that the library accepts and returns.

/** ISO 8601, UTC, with milliseconds. */
export type Time = string;

${[...named].map(([name, shape]) => `export type ${name} = ${declared(shape)};\n`).join('\n')}
/** A job. */
export interface Job ${propertiesOf(jsonEntries(), false)}

/** A job to enqueue: with a command, or with a recipe that creates the command. */
export type NewJob = NewJobFields & ({ readonly command: Command } | { readonly recipe: string });

/** Omitted fields have their defaults. */
export interface NewJobFields ${propertiesOf(given, true)}
`;
}

/** Returns the named shapes in dependency order. */
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

/** Writes each property of an object on its own line. */
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
