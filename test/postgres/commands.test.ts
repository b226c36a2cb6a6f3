// What is true of the commands and workers on a file is true of them on a server: the same tests, once more.

import { ON_SERVER } from '../cli/support.ts';
import { sharedServer } from '../support/postgres.ts';

const SAME = [
  'cli/config',
  'cli/dlq',
  'cli/enqueue',
  'cli/enqueue-file',
  'cli/enqueue-wait',
  'cli/hooks',
  'cli/ids',
  'cli/json',
  'cli/prune',
  'cli/schedule',
  'cli/tracing',
  'cli/group',
  'cli/wait',
  'cli/wait-group',
  'cli/why',
  'mcp/mcp',
  'crash/poison',
  'crash/ticks',
  'worker/ending',
  'worker/order',
  'worker/retrying',
  'worker/running',
  'worker/ticking',
];

process.env[ON_SERVER] = await sharedServer();
for (const name of SAME) await import(`../${name}.test.ts`);
