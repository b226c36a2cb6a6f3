// All browser tests in one process, so that they share one browser.

import './shell.ts';
import './overview.ts';
import './jobs.ts';
import './job.ts';
import './dead.ts';
import './groups.ts';
import './queues.ts';
import './schedules.ts';
import './isolation.ts';
import './recipes.ts';
import './policy.ts';
import './secrets.ts';
import './workers.ts';
import './settings.ts';
import './access.ts';
import './activity.ts';
import './live.ts';
import './tabs.ts';
