// The program that stands beside a worker: guard WORKER, told by its standard input what runs. The worker's name is there
// for people who look at the list of processes.

import { standGuard } from './guard-process.ts';

void standGuard(process.stdin);
