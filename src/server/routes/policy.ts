// Checks jobs against the policy. The settings routes read and change the policy itself.

import { z } from 'zod';
import { intakeOf } from '../intake.ts';
import { route } from '../route.ts';
import { newJobSchema } from '../schema/job.ts';

const verdictSchema = z
  .object({
    is_allowed: z.boolean(),
    reason: z.string().nullable().describe('Why the job is rejected'),
    hint: z.string().nullable(),
  })
  .meta({ id: 'PolicyVerdict' });

export const policyRoutes = [
  route({
    id: 'checkPolicy',
    summary: 'Check whether the policy allows a job, without enqueuing it',
    role: 'enqueuer',
    changes: false,
    body: newJobSchema,
    answers: { 200: { help: 'The verdict of the policy', schema: verdictSchema } },
    handle: async ({ queue, body }) => {
      const { read, rejectionOf } = await intakeOf(queue);
      const rejected = await rejectionOf(read(body));
      return {
        json: {
          is_allowed: rejected === null,
          reason: rejected?.reason ?? null,
          hint: rejected?.hint || null,
        },
      };
    },
  }),
];
