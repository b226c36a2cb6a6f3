// Who a job runs as.

import type { Step } from './confine.ts';

export const runAs: Step = (start) => ({ start });
