// Secrets: values go in and to jobs, and never out. Those who may enqueue may name one, and so may see the names.

import { z } from 'zod';
import { secretToJson } from '../../report/secret.ts';
import { LARGEST_SECRET_BYTES } from '../../secrets/secrets.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { namePath } from '../schema/parameters.ts';

const secretSchema = z
  .object({
    name: z.string(),
    created_at: time,
    created_by: z.string(),
    is_readable: z.boolean().meta({ description: 'The key on the host of the server opens it' }),
  })
  .meta({ id: 'Secret' });

const valueSchema = z
  .strictObject({
    value: z.string().meta({ description: `The value, ${LARGEST_SECRET_BYTES} bytes at most` }),
    encoding: z
      .enum(['text', 'base64'])
      .default('text')
      .meta({ description: 'base64: the value is binary, as base64' }),
  })
  .refine(({ value, encoding }) => encoding === 'text' || isBase64(value), 'the value is not base64');

const isBase64 = (text: string): boolean =>
  Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');

export const secretRoutes = [
  route({
    id: 'listSecrets',
    tag: 'secrets',
    summary: 'The names of the secrets; values are shown to nobody',
    role: 'enqueuer',
    answers: {
      200: { means: 'Secrets', schema: z.object({ secrets: z.array(secretSchema), next: z.null() }) },
    },
    handle: async ({ queue }) => {
      const secrets = await (await queue.secrets()).all();
      return { json: { secrets: secrets.map(secretToJson), next: null } };
    },
  }),
  route({
    id: 'setSecret',
    tag: 'secrets',
    summary: 'Keep a secret for jobs, or replace the one of this name',
    role: 'admin',
    parameters: namePath,
    body: valueSchema,
    answers: { 200: { means: 'The secret, without its value', schema: secretSchema } },
    handle: async ({ queue, path, body, principal }) => {
      const value = Buffer.from(body.value, body.encoding === 'base64' ? 'base64' : 'utf8');
      return { json: secretToJson(await (await queue.secrets()).set(path.name, value, principal.name)) };
    },
  }),
  route({
    id: 'removeSecret',
    tag: 'secrets',
    summary: 'Remove a secret; jobs that need it fail at their start',
    role: 'admin',
    parameters: namePath,
    answers: { 204: { means: 'It is gone' } },
    handle: async ({ queue, path }) => {
      await (await queue.secrets()).remove(path.name);
      return { status: 204, json: null };
    },
  }),
];
