// Secrets: values can be set, but never read over HTTP. Clients that may enqueue jobs may list the names.

import { z } from 'zod';
import { secretToJson } from '../../report/accounts.ts';
import { LARGEST_SECRET_BYTES } from '../../secrets/secrets.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { namePath } from '../schema/parameters.ts';

const secretSchema = z
  .object({
    name: z.string(),
    created_at: time,
    created_by: z.string(),
    is_readable: z.boolean().describe('Whether the encryption key on the server’s host can decrypt the secret'),
  })
  .meta({ id: 'Secret' });

const valueSchema = z
  .strictObject({
    value: z.string().describe(`The value, at most ${LARGEST_SECRET_BYTES} bytes`),
    encoding: z.enum(['text', 'base64']).default('text').describe('base64 for a binary value'),
  })
  .refine(({ value, encoding }) => encoding === 'text' || isBase64(value), 'the value is not base64');

const isBase64 = (text: string): boolean =>
  Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');

export const secretRoutes = [
  route({
    id: 'listSecrets',
    summary: 'List the names of secrets; values are never returned',
    role: 'enqueuer',
    answers: {
      200: { help: 'Secrets', schema: z.object({ secrets: z.array(secretSchema), next: z.null() }) },
    },
    handle: async ({ queue }) => {
      const secrets = await (await queue.secrets()).all();
      return { json: { secrets: secrets.map(secretToJson), next: null } };
    },
  }),
  route({
    id: 'setSecret',
    summary: 'Set or replace a secret',
    role: 'admin',
    parameters: namePath,
    body: valueSchema,
    answers: { 200: { help: 'The secret, without its value', schema: secretSchema } },
    handle: async ({ queue, path, body, principal }) => {
      const value = Buffer.from(body.value, body.encoding === 'base64' ? 'base64' : 'utf8');
      return { json: secretToJson(await (await queue.secrets()).set(path.name, value, principal.name)) };
    },
  }),
  route({
    id: 'removeSecret',
    summary: 'Delete a secret; jobs that need it fail when they start',
    role: 'admin',
    parameters: namePath,
    answers: { 204: { help: 'Deleted' } },
    handle: async ({ queue, path }) => {
      await (await queue.secrets()).remove(path.name);
      return { status: 204, json: null };
    },
  }),
];
