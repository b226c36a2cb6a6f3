// Reading a job as a user said it, at a known time and place.

import { type InputContext, parseJob } from '../../src/job/input/input.ts';
import type { NewJob } from '../../src/job/job.ts';
import { T0 } from '../support/jobs.ts';

export const context: InputContext = {
  now: T0,
  zone: 'local',
  newId: () => 'made-up',
  cwd: '/home/me',
  defaults: { maxRetries: 3, timeoutSeconds: null },
};

export const read = (raw: unknown, flags: Record<string, unknown> = {}): NewJob => parseJob(raw, flags, context);

export const withCommand = (fields: object): object => ({ command: 'true', ...fields });
