// The real guard of a worker, with a log of its actions. Usage: guard.ts LOG WORKER

import { appendFileSync } from 'node:fs';
import { standGuard } from '../src/worker/guard/guard-process.ts';

const [, , log = '', worker = ''] = process.argv;
void standGuard(process.stdin, (line) => {
  appendFileSync(log, `${new Date().toISOString()}  ${worker}  ${line}\n`);
});
