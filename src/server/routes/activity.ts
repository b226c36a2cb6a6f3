// The audit log.

import { z } from 'zod';
import { activityToJson } from '../../report/accounts.ts';
import { route } from '../route.ts';
import { positive } from '../schema/parameters.ts';
import { auditEntrySchema } from '../schema/account.ts';

export const activityRoutes = [
  route({
    id: 'listActivity',
    summary: 'List audit log entries, newest first',
    role: 'viewer',
    query: z.object({
      limit: positive.max(1000).default(50),
      after: positive.optional().describe('`next` of the previous page'),
    }),
    answers: {
      200: {
        help: 'Audit log entries',
        schema: z.object({ activity: z.array(auditEntrySchema), next: z.int().nullable() }),
      },
    },
    handle: async ({ queue, query }) => {
      const activity = await queue.activity.list(query.limit, query.after);
      const next = activity.length < query.limit ? null : (activity.at(-1)?.seq ?? null);
      return { json: { activity: activity.map(activityToJson), next } };
    },
  }),
];
