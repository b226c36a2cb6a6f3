// docs/reference/job-fields.md: the fields of a job, from the OpenAPI document.

import { openApiDocument } from '../../src/server/http/openapi.ts';
import { type Block, code, table } from './block.ts';
import { INPUT_FIELDS, OUTPUT_FIELDS } from './job-field-words.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
}

const PAGE = 'reference/job-fields.md';

export function jobFieldBlocks(): Block[] {
  const document = openApiDocument('x') as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody: Body } }>>;
  };
  const { schemas } = document.components;
  const input = propertiesOf(document.paths['/jobs']?.post?.requestBody.content['application/json'].schema, schemas);
  return [
    { page: PAGE, name: 'input', text: fieldTable(input ?? {}, INPUT_FIELDS) },
    { page: PAGE, name: 'output', text: fieldTable(schemas.Job?.properties ?? {}, OUTPUT_FIELDS) },
    { page: PAGE, name: 'attempts', text: fieldTable(schemas.Attempt?.properties ?? {}, OUTPUT_FIELDS) },
  ];
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** Returns the properties of the first object in the schema that has properties. */
function propertiesOf(schema: Schema | undefined, all: Readonly<Record<string, Schema>>): Schema['properties'] {
  if (!schema) return undefined;
  if (schema.$ref) return propertiesOf(all[schema.$ref.split('/').at(-1) ?? ''], all);
  if (schema.properties) return schema.properties;
  for (const one of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) {
    const found = propertiesOf(one, all);
    if (found) return found;
  }
  return undefined;
}

/** Takes descriptions from `words` or the document. A field without a description is an error. */
function fieldTable(fields: Readonly<Record<string, Schema>>, words: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).length > 0 ? Object.keys(fields) : Object.keys(words);
  const rows = names.map((name) => {
    const schema = fields[name];
    const description = words[name] ?? schema?.description;
    if (!description) throw new Error(`scripts/reference/job-field-words.ts does not describe '${name}'`);
    return [code(name), schema ? typeOf(schema) : '', description];
  });
  const hasTypes = rows.some(([, type]) => type !== '');
  return hasTypes
    ? table(['field', 'type', 'description'], rows)
    : table(
        ['field', 'description'],
        rows.map(([name = '', , text = '']) => [name, text]),
      );
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.endsWith('/JobState') ? 'state' : 'object';
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(', ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.format === 'date-time') return 'time';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  return types
    .map((type) => (type === 'array' && schema.items ? `array of ${typeOf(schema.items)}` : type))
    .join(' or ');
}
