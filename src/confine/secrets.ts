// Secrets that a job is given.

import type { Step } from './confine.ts';

export const withSecrets: Step = (start) => ({ start });
