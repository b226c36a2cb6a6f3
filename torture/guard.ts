// The guard of a worker that torture runs.

import '../src/worker/guard-main.ts';
