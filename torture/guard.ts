// The guard of a worker that torture runs: the real one, which also writes down what it does.
// Usage: guard.ts LOG WORKER

import { appendFileSync } from 'node:fs';
import { standGuard } from '../src/worker/guard/guard-process.ts';

const [, , log = '', worker = ''] = process.argv;
void standGuard(process.stdin, (line) => {
  appendFileSync(log, `${new Date().toISOString()}  ${worker}  ${line}\n`);
});
