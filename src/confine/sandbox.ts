// What a job sees of the machine.

import type { Step } from './confine.ts';

export const inSandbox: Step = (start) => ({ start });
