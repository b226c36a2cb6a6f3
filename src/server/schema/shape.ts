// Converts the shapes of job fields to Zod schemas.

import { z } from 'zod';
import type { Shape } from '../../job/fields/shape.ts';

export const time = z.iso.datetime().describe('ISO 8601, UTC, with milliseconds');

/** One schema per name, so that the OpenAPI document has one component for it. */
const NAMED = new Map<string, z.ZodType>();

export function zodOf<T>(shape: Shape<T>): z.ZodType<T> {
  const { name } = shape;
  if (name === undefined) return unnamed(shape, zodOf) as z.ZodType<T>;
  const known = NAMED.get(name) ?? unnamed(shape, zodOf).meta({ id: name });
  NAMED.set(name, known);
  return known as z.ZodType<T>;
}

/** Converts a shape without creating a component. `inner` converts its parts. */
export function unnamed(shape: Shape, inner: (part: Shape) => z.ZodType = (part) => unnamed(part)): z.ZodType {
  const { of = [], fields = {}, optional = {}, words = [] } = shape;
  const [first, second] = of.map(inner);
  switch (shape.kind) {
    case 'text':
      return z.string();
    case 'integer':
      return inRange(z.int(), shape);
    case 'number':
      return inRange(z.number(), shape);
    case 'flag':
      return z.boolean();
    case 'time':
      return time;
    case 'null':
      return z.null();
    case 'words':
      return words.every((word) => typeof word === 'string') ? z.enum(words) : z.literal([...words]);
    case 'list':
      return z.array(first ?? z.unknown());
    case 'map':
      return z.record(z.string(), first ?? z.unknown());
    case 'object':
      return z.object({
        ...schemasOf(fields, inner),
        ...z.object(schemasOf(optional, inner)).partial().shape,
      });
    case 'either':
      return of[1]?.kind === 'null' && first ? first.nullable() : z.union([first, second] as z.ZodType[]);
    case 'any':
      return z.unknown();
  }
}

function inRange(schema: z.ZodInt | z.ZodNumber, { min, max }: Shape): z.ZodType {
  const from = min === undefined ? schema : schema.min(min);
  return max === undefined ? from : from.max(max);
}

const schemasOf = (
  fields: Readonly<Record<string, Shape>>,
  inner: (part: Shape) => z.ZodType,
): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inner(field)]));
