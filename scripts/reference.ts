// Writes the generated parts of docs/reference from the program's own data: npm run reference.
// test/docs/reference.test.ts compares them, so the pages cannot go stale.

import { writeBlock } from './reference/block.ts';
import { referenceBlocks } from './reference/blocks.ts';

for (const block of await referenceBlocks()) writeBlock(block);
