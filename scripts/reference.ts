// Generates parts of docs/reference from the program's data: npm run reference. test/docs/reference.test.ts checks that
// they are current.

import { writeBlock } from './reference/block.ts';
import { referenceBlocks } from './reference/blocks.ts';

for (const block of await referenceBlocks()) writeBlock(block);
