// Paths of programs in the package that the library starts: the worker's guard, and webhook delivery.

import { join } from 'node:path';

/** This file is in dist/library in the package, and in src/library in the sources. */
const dist = join(import.meta.dirname, '..', '..', 'dist');

export const guardProgram = (): string[] => [join(dist, 'guard.cjs')];

export const webhookProgram = (): string[] => [process.execPath, join(dist, 'queuectl.cjs'), '__webhook'];
