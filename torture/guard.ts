// The guard of a worker that torture runs. Usage: guard.ts WORKER GRACE

import { standGuard } from '../src/worker/guard.ts';

const [, , workerId = '', graceMs = '0'] = process.argv;
await standGuard(workerId, Number(graceMs), process.stdin);
