// Reads the limits of a job: each by its own name, or several in `limits`. The shown form, whose names contain units,
// is accepted too.

import { nearest } from '../../text/nearest.ts';
import { parseBytes } from '../../text/size.ts';
import { type Flag, type Input, inSnakeCase } from '../fields/field.ts';
import { either, INTEGER, named, NUMBER, partialOf, type Shape, TEXT, wordsOf } from '../fields/shape.ts';
import {
  describe,
  type InputContext,
  INT32,
  integer,
  invalid,
  number,
  oneOf,
  type Reader,
  seconds,
  wrongType,
} from './input-readers.ts';
import { IO_CLASSES, type LimitKind, type ResourceLimits } from '../isolation/resource-limits.ts';

/** A shell needs at least this much memory. */
const LEAST_BYTES = 1024 * 1024;
const MOST_BYTES = 2 ** 50;
const MOST_PERCENT = 100_000;
const MOST_NICE = 19;

/** Reads '512M' or a number of bytes. */
const bytes =
  (least: number): Reader<number> =>
  (value, field, context) => {
    const read = typeof value === 'string' ? parseBytes(value) : value;
    if (read === null) throw invalid(`'${field}' ${describe(value)} is not a size`, 'try 512M, 1G or 1.5G');
    return integer(least, MOST_BYTES)(read, field, context);
  };

/** Reads '50%' or a number. */
const percent: Reader<number> = (value, field, context) => {
  const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(value) : null;
  if (typeof value === 'string' && match === null)
    throw invalid(`'${field}' ${describe(value)} is not a CPU share`, 'try 50% or 200%');
  return number(1, MOST_PERCENT)(match ? Number(match[1]) : value, field, context);
};

interface LimitInput {
  readonly kind: LimitKind;
  readonly shape: Shape;
  readonly read: Reader<unknown>;
  /** Name in output, which contains the unit. */
  readonly shownAs: string;
  readonly shown: Shape;
  readonly help: string;
  readonly flag: Flag;
}

const SIZE = either(TEXT, NUMBER);
const IO_CLASS = wordsOf(IO_CLASSES);
const flagOf = (kind: Flag['kind'], value: string): Flag => ({ kind, topic: 'limits', value });

const INPUTS = {
  memory: {
    kind: 'memoryBytes',
    shape: SIZE,
    read: bytes(LEAST_BYTES),
    shownAs: 'memory_bytes',
    shown: INTEGER,
    help: 'memory limit for all processes of the job, for example 512M; also reserves the memory',
    flag: flagOf('text', 'SIZE'),
  },
  cpu_time: {
    kind: 'cpuSeconds',
    shape: SIZE,
    read: seconds(1),
    shownAs: 'cpu_seconds',
    shown: NUMBER,
    help: 'CPU time limit, for example 60s or 5m',
    flag: flagOf('text', 'DURATION'),
  },
  cpu: {
    kind: 'cpuPercent',
    shape: SIZE,
    read: percent,
    shownAs: 'cpu_percent',
    shown: NUMBER,
    help: 'CPU share: 50% of a core, or 200% for two cores',
    flag: flagOf('text', 'PERCENT'),
  },
  processes: {
    kind: 'processes',
    shape: INTEGER,
    read: integer(1, INT32),
    shownAs: 'processes',
    shown: INTEGER,
    help: 'maximum number of processes',
    flag: flagOf('integer', 'N'),
  },
  open_files: {
    kind: 'openFiles',
    shape: INTEGER,
    read: integer(3, INT32),
    shownAs: 'open_files',
    shown: INTEGER,
    help: 'maximum number of open files per process',
    flag: flagOf('integer', 'N'),
  },
  file_size: {
    kind: 'fileBytes',
    shape: SIZE,
    read: bytes(0),
    shownAs: 'file_bytes',
    shown: INTEGER,
    help: 'maximum size of any file that the job writes, for example 1G',
    flag: flagOf('text', 'SIZE'),
  },
  nice: {
    kind: 'nice',
    shape: INTEGER,
    read: integer(0, MOST_NICE),
    shownAs: 'nice',
    shown: INTEGER,
    help: 'CPU niceness from 0 to 19; higher values yield to other processes',
    flag: flagOf('integer', 'N'),
  },
  io_class: {
    kind: 'ioClass',
    shape: IO_CLASS,
    read: oneOf(IO_CLASSES),
    shownAs: 'io_class',
    shown: IO_CLASS,
    help: `I/O scheduling class: ${IO_CLASSES.join(', ')}`,
    flag: { ...flagOf('text', 'CLASS'), choices: IO_CLASSES },
  },
} as const satisfies Record<string, LimitInput>;

type LimitName = keyof typeof INPUTS;
export const LIMIT_NAMES = Object.keys(INPUTS) as LimitName[];

/** Returns undefined if no limit has this name. */
export const limitKind = (name: string): LimitKind | undefined =>
  Object.hasOwn(INPUTS, name) ? INPUTS[name as LimitName].kind : undefined;

/** What to do if a limit cannot be enforced: not start the attempt, or run it without the limit. */
export const LIMIT_MODES = ['strict', 'best-effort'] as const;

/** Reads a limit given by its own name. */
export const limit =
  (name: LimitName): Reader<ResourceLimits> =>
  (value, field, context) => ({ [INPUTS[name].kind]: INPUTS[name].read(value, field, context) });

/** Reads several limits, or the mode. */
export const limits: Reader<ResourceLimits> = (value, field, context) => {
  if (typeof value === 'string') return { isBestEffort: isBestEffort(value, field) };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(field, `an object of ${LIMIT_NAMES.join(', ')}, or one of ${LIMIT_MODES.join(', ')}`, value);
  const entries = Object.entries(value).filter(([, said]) => said !== null);
  return entries
    .map(([name, said]) => namedLimit(name, said, field, context))
    .reduce((all, one) => addLimits(all, one), {});
};

function namedLimit(given: string, value: unknown, field: string, context: InputContext): ResourceLimits {
  if (given === MODE) return { isBestEffort: isBestEffort(value, `${field}.${given}`) };
  return limit(knownName(given, field))(value, `${field}.${given}`, context);
}

function knownName(given: string, field: string): LimitName {
  const name = inSnakeCase(given);
  const known = LIMIT_NAMES.find((one) => one === name || INPUTS[one].shownAs === name);
  if (known) return known;
  const near = nearest(name, LIMIT_NAMES);
  throw invalid(
    `unknown field '${given.slice(0, 40)}' in '${field}'`,
    near ? `did you mean '${near}'?` : `use ${LIMIT_NAMES.join(', ')}`,
  );
}

const MODE = 'mode';

const isBestEffort = (value: unknown, field: string): boolean => oneOf(LIMIT_MODES)(value, field) === 'best-effort';

type LimitShapes = { readonly [N in LimitName]: (typeof INPUTS)[N]['shape'] };

export const LIMIT_INPUT = Object.fromEntries(
  LIMIT_NAMES.map((name): [string, Input<ResourceLimits>] => {
    const { shape, help, flag } = INPUTS[name];
    return [name, { shape, read: limit(name), help, isAlias: true, flag }];
  }),
) as { readonly [N in LimitName]: Input<ResourceLimits> & { readonly shape: LimitShapes[N] } };

const shapesOf = (key: 'shape' | 'shown', names: (name: LimitName) => string): Record<string, Shape> =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [names(name), INPUTS[name][key]]));

const SHOWN_SHAPES = shapesOf('shown', (name) => INPUTS[name].shownAs) as {
  readonly [N in LimitName as (typeof INPUTS)[N]['shownAs']]: (typeof INPUTS)[N]['shown'];
};

/** Shape of `limits` in input, which includes the names in output. */
export const LIMITS_SHAPE = named(
  'NewLimits',
  partialOf({
    ...SHOWN_SHAPES,
    ...(shapesOf('shape', (name) => name) as LimitShapes),
    mode: wordsOf(LIMIT_MODES),
  }),
);

/** Shape of `limits` in output. */
export const SHOWN_LIMITS_SHAPE = named(
  'Limits',
  partialOf({
    ...SHOWN_SHAPES,
    mode: wordsOf(['best-effort'] as const),
  }),
);

/** Combines limits given under several names. Throws if a limit is given twice. */
export function addLimits(earlier: ResourceLimits = {}, more: ResourceLimits): ResourceLimits {
  const twice = Object.keys(more).find((kind) => Object.hasOwn(earlier, kind));
  if (twice !== undefined) throw invalid(`'${nameOf(twice)}' is given twice`, 'use only one of them');
  return { ...earlier, ...more };
}

interface Limited {
  readonly limits?: ResourceLimits;
}

/** Flags override single limits of a job and keep the others. */
export const withBothLimits = <T extends Limited>(draft: T, own: Limited, said: Limited): T =>
  own.limits && said.limits ? { ...draft, limits: { ...own.limits, ...said.limits } } : draft;

export const nameOf = (kind: string): string => LIMIT_NAMES.find((name) => INPUTS[name].kind === kind) ?? 'limits';

/** Returns limits under their names in output, or null if there are none. */
export function limitsToJson(limits: ResourceLimits | undefined): Readonly<Record<string, unknown>> | null {
  if (limits === undefined) return null;
  const said = LIMIT_NAMES.map((name) => INPUTS[name]).flatMap(({ kind, shownAs }) =>
    limits[kind] === undefined ? [] : [[shownAs, limits[kind]]],
  );
  return { ...Object.fromEntries(said), ...(limits.isBestEffort ? { [MODE]: 'best-effort' } : {}) };
}

/** Returns the limits after a change; null removes a limit. */
export function changedLimits(
  before: ResourceLimits | undefined,
  change: Readonly<Record<string, unknown>>,
): ResourceLimits {
  const unset = Object.keys(change).filter((name) => change[name] === null);
  const kept = { ...before, ...limits(change, 'limits', NO_CONTEXT) };
  const removed = unset.map((name) => (name === MODE ? 'isBestEffort' : INPUTS[knownName(name, 'limits')].kind));
  return Object.fromEntries(Object.entries(kept).filter(([kind]) => !(removed as string[]).includes(kind)));
}

/** Limits do not depend on the context. */
const NO_CONTEXT: InputContext = {
  now: 0,
  zone: 'utc',
  newId: () => '',
  cwd: null,
  defaults: { maxRetries: 0, timeoutSeconds: null },
};

/** Reads the output of limitsToJson(). */
export function limitsFromJson(json: Readonly<Record<string, unknown>>): ResourceLimits {
  const said = LIMIT_NAMES.map((name) => INPUTS[name]).flatMap(({ kind, shownAs }) =>
    json[shownAs] === undefined ? [] : [[kind, json[shownAs]]],
  );
  return { ...Object.fromEntries(said), ...(json[MODE] === 'best-effort' ? { isBestEffort: true } : {}) };
}
