// Shapes of JSON values as plain data, from which TypeScript types, the OpenAPI document and the library declarations
// are derived. Zod would take `enqueue` too long to load.

export interface Shape<T = unknown> {
  readonly kind: 'text' | 'integer' | 'number' | 'flag' | 'time' | 'null' | 'any' | 'words' | 'list' | 'map' | 'object' | 'either';
  /** Name of a separate type in the OpenAPI document and in the library. */
  readonly name?: string;
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly (string | boolean)[];
  /** The items of a list, the values of a map, or the alternatives of either. */
  readonly of?: readonly Shape[];
  /** Required properties of an object. */
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
  /** Never set; carries the type. */
  readonly type?: T;
} // biome-ignore format: a list of words

export type Shaped<S> = S extends { readonly type?: infer T } ? T : never;

export const TEXT: Shape<string> = { kind: 'text' };
export const INTEGER: Shape<number> = { kind: 'integer' };
export const NUMBER: Shape<number> = { kind: 'number' };
export const FLAG: Shape<boolean> = { kind: 'flag' };
/** ISO 8601, UTC, with milliseconds. */
export const TIME: Shape<string> = { kind: 'time' };
export const ANY: Shape<unknown> = { kind: 'any' };
const NULL: Shape<null> = { kind: 'null' };

export const wordsOf = <T extends string | boolean>(words: readonly T[]): Shape<T> => ({
  kind: 'words',
  words,
});

export const listOf = <T>(item: Shape<T>): Shape<readonly T[]> => ({ kind: 'list', of: [item] });

export const mapOf = <T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> => ({
  kind: 'map',
  of: [value],
});

export const either = <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> => ({
  kind: 'either',
  of: [one, other],
});

export const orNull = <T>(shape: Shape<T>): Shape<T | null> => either(shape, NULL);

type Properties = Readonly<Record<string, Shape>>;
type Required<F> = { readonly [K in keyof F]: Shaped<F[K]> };
type Optional<F> = { readonly [K in keyof F]?: Shaped<F[K]> | undefined };

export const objectOf = <F extends Properties, O extends Properties>(
  fields: F,
  optional: O,
): Shape<Required<F> & Optional<O>> => ({ kind: 'object', fields, optional });

export const partialOf = <O extends Properties>(optional: O): Shape<Optional<O>> => ({
  kind: 'object',
  optional,
});

/** True if values are times, or times or null. */
export const hasTime = ({ kind, of = [] }: Shape): boolean => kind === 'time' || of[0]?.kind === 'time';

export const named = <T>(name: string, shape: Shape<T>): Shape<T> => ({ ...shape, name });
