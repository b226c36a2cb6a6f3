// How much of the machine a job may use.

import type { Step } from './confine.ts';

export const withLimits: Step = (start) => ({ start });
