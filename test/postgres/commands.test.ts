// Commands on a server: those that wait for news of jobs, which the server sends, and each command once. What the others
// store and find is in test/contract/.

import { ON_SERVER } from '../cli/support.ts';
import { sharedServer } from '../support/postgres.ts';

const SAME = ['cli/json', 'cli/enqueue-wait', 'cli/group', 'cli/wait', 'cli/wait-group'];

process.env[ON_SERVER] = await sharedServer();
for (const name of SAME) await import(`../${name}.test.ts`);
