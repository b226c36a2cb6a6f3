// The guard program: guard WORKER. It reads the worker's jobs from standard input. The argument only makes the worker
// visible in process listings.

import { standGuard } from './guard-process.ts';

void standGuard(process.stdin);
