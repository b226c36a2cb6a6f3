// Kinds of values that several fields share: JSON shape and reader.

import { id, integer, jobId, MAX_SECONDS, number, type Reader, seconds } from '../input/input-readers.ts';
import { either, NUMBER, type Shape, TEXT } from './shape.ts';

interface Value<T> {
  readonly shape: Shape;
  readonly read: Reader<T>;
}

export const whole = (min: number, max: number) => ({
  shape: { kind: 'integer', min, max } as Shape<number>,
  read: integer(min, max),
});

export const real = (min: number, max: number) => ({
  shape: { kind: 'number', min, max } as Shape<number>,
  read: number(min, max),
});

/** Seconds, or a text such as '90s'. */
export const duration = (min: number) => ({ shape: either(NUMBER, TEXT), read: seconds(min) });

/** Name of a queue, key or sandbox. */
export const NAME = { shape: TEXT, read: id };

export const JOB_NAME = { shape: TEXT, read: jobId };

/** Converts the value after it is read. */
export const changed = <V extends Value<number>>(value: V, change: (read: number, now: number) => number) => ({
  ...value,
  read: ((given, name, context) => change(value.read(given, name, context), context.now)) satisfies Reader<number>,
});

export const inFuture = (seconds: number, now: number): number => now + Math.round(seconds * 1000);

export { MAX_SECONDS };
