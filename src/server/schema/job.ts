// Schemas of jobs and attempts, as src/job/wire.ts writes them, and of new jobs.

import { z } from 'zod';
import { FIELDS, INPUT_RULES, jsonEntries, type JobJson } from '../../job/fields/fields.ts';
import { type JobState, STATES } from '../../job/job.ts';
import { usageShape } from './confinement.ts';
import { time, unnamed, zodOf } from './shape.ts';

export { time } from './shape.ts';

export const stateSchema = zodOf(FIELDS.state.json.shape);

export const countsShape = Object.fromEntries(STATES.map((state) => [state, z.int()])) as Record<JobState, z.ZodInt>;

const described = (schema: z.ZodType, description: string | undefined): z.ZodType =>
  description === undefined ? schema : schema.meta({ description });

type JobShape = { [N in keyof JobJson]: z.ZodType<JobJson[N]> };

export const jobSchema = z
  .object(
    Object.fromEntries(
      jsonEntries().map(({ name, shape, help }) => [name, described(zodOf(shape), help)]),
    ) as unknown as JobShape,
  )
  .meta({ id: 'Job' });

const newJobShape = Object.fromEntries(
  Object.entries(INPUT_RULES).map(
    ([
      name,
      {
        input: { shape, help },
      },
    ]) => [name, described(unnamed(shape).nullish(), `${help.charAt(0).toUpperCase()}${help.slice(1)}`)],
  ),
);

/** Only for the OpenAPI document. parseJob() validates jobs, with more detailed errors that the CLI shares. */
export const newJobSchema = z.record(z.string(), z.unknown()).meta({
  id: 'NewJob',
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
    Object.assign(jsonSchema, newJobDocument());
  },
});

function newJobDocument() {
  const { type, properties } = z.toJSONSchema(z.object(newJobShape), { io: 'input', reused: 'inline' });
  return {
    type,
    properties,
    anyOf: [{ required: ['command'] }, { required: ['cmd'] }, { required: ['recipe'] }],
  };
}

export const attemptSchema = z
  .object({
    number: z.int(),
    run: z.int().describe('Unique among the attempts of the job, including lost ones'),
    worker: z.string().nullable(),
    host: z.string().nullable(),
    pid: z.int().nullable(),
    started_at: time,
    ended_at: time.nullable(),
    duration_ms: z.number().nullable(),
    outcome: z.string().nullable(),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    error: z.string().nullable(),
    log_path: z.string().nullable(),
    ...usageShape,
  })
  .meta({ id: 'Attempt' });

const waitSchema = z
  .object({
    reason: z.string().describe('Machine-readable reason, such as scheduled, dependencies or no_worker'),
    message: z.string(),
    hint: z.string().nullable(),
    since: time.nullable(),
    until: time.nullable(),
  })
  .meta({ id: 'Wait' });

export const detailsSchema = jobSchema
  .extend({
    environment: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Environment of the enqueuing shell; null if the job uses its worker’s'),
    waiting_reasons: z.array(waitSchema),
    history: z.array(attemptSchema),
  })
  .meta({ id: 'JobDetails' });

export const jobPageSchema = z.object({
  jobs: z.array(jobSchema),
  next: z.string().nullable().describe('Cursor for `after` of the next page; null on the last page'),
  searched: z
    .int()
    .nullable()
    .describe(
      'Number of jobs searched before the time limit, if `next` continues the search; null if the page is complete',
    ),
});

export const jobCountSchema = z.object({
  count: z.int(),
  is_exact: z.boolean().describe('False if there may be more jobs'),
});

export const whySchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    state: stateSchema,
    why: z.string(),
    sentences: z.array(z.string()),
    waiting_reasons: z.array(waitSchema),
    next_run_at: time.nullable(),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    exit_code: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'Why' });
