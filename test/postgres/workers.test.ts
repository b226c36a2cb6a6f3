// What is true of workers on a file is true of them on a server: the same tests, once more.

import { ON_SERVER } from '../cli/support.ts';
import { sharedServer } from '../support/postgres.ts';

const SAME = ['crash/poison', 'crash/ticks', 'worker/ending', 'worker/order', 'worker/retrying', 'worker/running'];

process.env[ON_SERVER] = await sharedServer();
for (const name of SAME) await import(`../${name}.test.ts`);
