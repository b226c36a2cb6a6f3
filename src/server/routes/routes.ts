// Every route, in the order of the document.

import type { Route } from '../route.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { bulkRoutes } from './bulk.ts';
import { dlqRoutes } from './dlq.ts';
import { eventRoutes } from './events.ts';
import { groupRoutes } from './groups.ts';
import { jobActionRoutes } from './job-actions.ts';
import { jobViewRoutes } from './job-views.ts';
import { jobRoutes } from './jobs.ts';
import { outputRoutes } from './output.ts';
import { policyRoutes } from './policy.ts';
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

export const ROUTES: readonly Route[] = [
  ...jobRoutes,
  ...jobViewRoutes,
  ...jobActionRoutes,
  ...bulkRoutes,
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
  ...settingRoutes,
  ...activityRoutes,
  ...sessionRoutes,
  ...accountRoutes,
];
