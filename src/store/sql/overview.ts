// Zero counts for all states.

import { type JobState, STATES } from '../../job/job.ts';

export const noCounts = (): Record<JobState, number> =>
  Object.fromEntries(STATES.map((state) => [state, 0])) as Record<JobState, number>;
