// All routes, in the order of the OpenAPI document.

import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { bulkRoutes } from './bulk.ts';
import { dlqRoutes } from './dlq.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './export.ts';
import { groupRoutes } from './groups.ts';
import { importRoutes } from './imports.ts';
import { jobActionRoutes } from './job-actions.ts';
import { jobViewRoutes } from './job-views.ts';
import { jobRoutes } from './jobs.ts';
import { outputRoutes } from './output.ts';
import { policyRoutes } from './policy.ts';
import { pruneRoutes } from './prune.ts';
import { queueRoutes } from './queues.ts';
import { rerunRoutes } from './rerun.ts';
import { recipeRoutes } from './recipes.ts';
import { sandboxRoutes } from './sandboxes.ts';
import { scheduleRoutes } from './schedules.ts';
import { secretRoutes } from './secrets.ts';
import { sessionRoutes } from './session.ts';
import { settingRoutes } from './settings.ts';
import { statsRoutes } from './stats.ts';
import { workerRoutes } from './workers.ts';

export const ROUTES = [
  ...jobRoutes,
  ...jobViewRoutes,
  ...jobActionRoutes,
  ...bulkRoutes,
  ...pruneRoutes,
  ...rerunRoutes,
  ...outputRoutes,
  ...groupRoutes,
  ...dlqRoutes,
  ...queueRoutes,
  ...scheduleRoutes,
  ...policyRoutes,
  ...recipeRoutes,
  ...secretRoutes,
  ...sandboxRoutes,
  ...statsRoutes,
  ...eventRoutes,
  ...workerRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...settingRoutes,
  ...activityRoutes,
  ...sessionRoutes,
  ...accountRoutes,
];

type AnyOperation = (typeof ROUTES)[number];

/** Types of each operation by ID, for clients: path and query parameters, body, answer. */
export type Operations = {
  [One in AnyOperation as One['id']]: One extends { readonly types?: infer Types } ? NonNullable<Types> : never;
};
