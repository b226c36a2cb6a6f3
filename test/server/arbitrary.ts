// Values made from JSON Schema, as the document has it: such that fit, and such that do not.

import fc from 'fast-check';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Words that mean something here: values that fit by their type alone would never get far. */
const MEANINGFUL = [
  'a', 'g', 'backup', 'mail', 'default', 'true', 'state:dead', 'queue:mail', 'echo', '+1h', '@daily', '90s', 'UTC',
  '10/s', 'max_retries', '5', 'none', 'group:g', 'error:"x', 'older:1d', 'id:a', 'w1',
]; // biome-ignore format: a list of words

const NASTY = [
  '', '..', '../../etc/passwd', '%', '%00', '\0', '\u2028', '\ud800', "' OR 1=1 --", '"', '\\', '*', '-1', '1e309',
  'NaN', '__proto__', 'constructor', '$(id)', 'é', '💥', 'x'.repeat(5000), '0x10', ' ', '\n',
]; // biome-ignore format: a list of words

export const aText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MEANINGFUL) },
  { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
  fc.string({ maxLength: 20 }),
);

/** Names of fields, known and not. */
const aField = fc.constantFrom(
  'id', 'command', 'queue', 'priority', 'tags', 'env', 'depends_on', 'run_at', 'max_retries', 'timeout', 'hooks',
  'group', 'key', 'stdin', 'cwd', 'unique_key', 'weight', 'name', 'nonsense', '__proto__', 'toString',
); // biome-ignore format: a list of words

const anything: fc.Arbitrary<unknown> = fc.oneof(
  aText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(aText, { maxLength: 3 }),
  fc.dictionary(aField, fc.oneof(aText, fc.integer(), fc.constant(null)), { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly what fits, sometimes anything at all. */
export const valueFor = (schema: Schema, refs: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fitting(schema, refs) }, { weight: 1, arbitrary: anything });

function fitting(schema: Schema, refs: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  if (schema.$ref) return valueFor(refs[schema.$ref.split('/').at(-1) ?? ''] ?? {}, refs);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice, refs)));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return aText;
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -3, max: Math.min(schema.maximum ?? 1000, 100_000) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1000, 100_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, refs), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case 'object':
      return anObject(schema, refs);
    default:
      return anything;
  }
}

function anObject(schema: Schema, refs: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const known = Object.entries(schema.properties ?? {});
  if (known.length === 0 && schema.additionalProperties === false) return fc.constant({});
  if (known.length === 0)
    return fc.dictionary(aField, anything, { maxKeys: 4 }).map((fields) => ({ command: 'true', ...fields }));
  return fc.record(Object.fromEntries(known.map(([name, value]) => [name, valueFor(value, refs)])), {
    requiredKeys: [...(schema.required ?? [])],
  });
}
