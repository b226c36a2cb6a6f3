// The program that stands beside a worker: guard WORKER GRACE_MS PATIENCE_MS, told by its standard input what runs.
// The worker's name is there for people who look at the list of processes.

import { standGuard } from './guard-process.ts';

const [, , , graceMs = '0', patienceMs = '0'] = process.argv;
void standGuard(Number(graceMs), Number(patienceMs), process.stdin);
