// All screens except the overview by path. Each is a separate bundle that loads when the screen is opened.

import type { ScreenComponent } from '../app.tsx';

export const SCREENS: Readonly<Record<string, () => Promise<{ default: ScreenComponent }>>> = {
  '/jobs': () => import('./jobs/jobs.tsx'),
  '/jobs/:id': () => import('./job/job.tsx'),
  '/jobs/:id/graph': () => import('./graph/graph.tsx'),
  '/groups': () => import('./groups/groups.tsx'),
  '/groups/:name': () => import('./groups/group.tsx'),
  '/groups/:name/graph': () => import('./graph/graph.tsx'),
  '/dead': () => import('./dead/dead.tsx'),
  '/queues': () => import('./queues/queues.tsx'),
  '/queues/:name': () => import('./queue/queue.tsx'),
  '/schedules': () => import('./schedules/schedules.tsx'),
  '/schedules/:name': () => import('./schedule/schedule.tsx'),
  '/recipes': () => import('./recipes/recipes.tsx'),
  '/workers': () => import('./workers/workers.tsx'),
  '/activity': () => import('./activity/activity.tsx'),
  '/policy': () => import('./policy/policy.tsx'),
  '/secrets': () => import('./secrets/secrets.tsx'),
  '/settings': () => import('./settings/settings.tsx'),
  '/access': () => import('./access/access.tsx'),
};
