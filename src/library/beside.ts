// The programs that the package brings beside the library: what stands guard beside a worker, and what delivers webhooks.

import { join } from 'node:path';

/** In the package this file is in dist/library, in the sources in src/library. */
const dist = join(import.meta.dirname, '..', '..', 'dist');

export const guardProgram = (): string[] => [join(dist, 'guard.cjs')];

export const webhookProgram = (): string[] => [process.execPath, join(dist, 'queuectl.cjs'), '__webhook'];
