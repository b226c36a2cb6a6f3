// What an attempt is given in tests that make one without a worker.

import { join } from 'node:path';
import { hostClockMs } from '../../src/process/tree/host-clock.ts';
import { nodeSpawn } from '../../src/process/spawn/node-spawn.ts';
import { makePipes } from '../../src/process/output/pipe.ts';
import { Settings } from '../../src/settings/settings.ts';
import type { AttemptContext } from '../../src/worker/attempt/attempt-context.ts';

export const attemptContext = (folder: string): AttemptContext => ({
  workerId: 'w1',
  db: join(folder, 'queue.db'),
  place: { file: null, folder, logs: folder, run: folder, hasOtherOwner: false },
  user: null,
  environment: { PATH: process.env.PATH },
  settings: () => new Settings({}),
  now: () => Date.now(),
  notAfterMs: () => hostClockMs() + 60_000,
  hasRunOut: () => false,
  starter: nodeSpawn,
  adoptsOrphans: false,
  pipes: makePipes(),
  webhook: null,
  mirror: null,
  stdinOf: async () => null,
  startCheck: () => null,
  vault: { valueOf: async () => Buffer.alloc(0), folderOf: () => folder },
  passes: null,
  tracer: () => null,
});
