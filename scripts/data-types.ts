// The data types of the package, written out from the schemas of the API: what src/library/data.ts derives.

import { z } from 'zod';
import { groupSchema } from '../src/server/schema/group.ts';
import { detailsSchema, jobCountSchema, jobPageSchema } from '../src/server/schema/job.ts';
import { queueSchema } from '../src/server/schema/queue.ts';
import { scheduleDetailsSchema, scheduleSchema } from '../src/server/schema/schedule.ts';
import { statusSchema } from '../src/server/schema/status.ts';
import { workerSchema } from '../src/server/schema/worker.ts';

const SCHEMAS = z.object({
  JobDetails: detailsSchema,
  JobPage: jobPageSchema,
  JobCount: jobCountSchema,
  Status: statusSchema,
  Worker: workerSchema,
  Group: groupSchema,
  Queue: queueSchema,
  Schedule: scheduleSchema,
  ScheduleDetails: scheduleDetailsSchema,
});

/** Types that extend another one. */
const BASES: Readonly<Record<string, string>> = { JobDetails: 'Job', ScheduleDetails: 'Schedule' };

/** Names in the package that differ from those in the OpenAPI document. */
const RENAMED: Readonly<Record<string, string>> = { Queue: 'NamedQueue' };

type Schema = z.core.JSONSchema.JSONSchema;

/** Types of scripts/job-types.ts. */
const JOB_TYPES = ['Command', 'Hooks', 'Job', 'JobState', 'Limits', 'Time'];

export function dataTypes(): string {
  const { $defs = {}, properties = {} } = z.toJSONSchema(SCHEMAS);
  const all = { ...(properties as Record<string, Schema>), ...($defs as Record<string, Schema>) };
  const own = Object.entries(all).filter(([name]) => !JOB_TYPES.includes(name));
  const declared = own.map(([name, schema]) => declarationOf(name, schema, all[BASES[name] ?? '']));
  const used = JOB_TYPES.filter((name) => new RegExp(`\\b${name}\\b`).test(declared.join()));
  return `// Data types of the library: the JSON that \`--json\` prints and the HTTP API returns.

import type { ${used.join(', ')} } from './job-data.js';

export type * from './job-data.js';

${declared.join('\n')}
export type WorkerCounts = Status['workers'];
`;
}

const nameOf = (name: string): string => RENAMED[name] ?? name;

function declarationOf(name: string, schema: Schema, base: Schema | undefined): string {
  const inherited = Object.keys(base?.properties ?? {});
  const bases = base ? ` extends ${BASES[name]}` : '';
  const own = Object.entries(schema.properties ?? {}).filter(([property]) => !inherited.includes(property));
  return `export interface ${nameOf(name)}${bases} {\n${propertiesOf(own, '  ')}}\n`;
}

const propertiesOf = (properties: readonly [string, unknown][], indent: string): string =>
  properties
    .map(([name, value]) => {
      const schema = value as Schema;
      const comment =
        schema.description && schema.format !== 'date-time' ? `${indent}/** ${schema.description}. */\n` : '';
      return `${comment}${indent}readonly ${name}: ${typeOf(schema, indent)};\n`;
    })
    .join('');

function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1) ?? '');
  if (schema.enum) return schema.enum.map((word) => `'${word}'`).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one as Schema, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'Time' : 'string';
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items as Schema, indent);
      return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectOf(schema, indent);
    default:
      return schema.type ?? 'unknown';
  }
}

function objectOf(schema: Schema, indent: string): string {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (properties === undefined) {
    const value = typeOf(additionalProperties as Schema, indent);
    const { enum: names } = (propertyNames ?? {}) as Schema;
    if (names === undefined) return `Record<string, ${value}>`;
    return `Partial<Record<${typeOf({ enum: names })}, ${value}>>`;
  }
  const entries = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    required.includes(name) ? name : `${name}?`,
    schema,
  ]);
  return `{\n${propertiesOf(entries, `${indent}  `)}${indent}}`;
}
