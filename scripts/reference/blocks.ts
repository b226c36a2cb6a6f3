// Collects the generated parts of docs/reference.

import type { Block } from './block.ts';
import { commandBlocks } from './commands.ts';
import { errorBlocks } from './errors.ts';
import { filterBlock } from './filters.ts';
import { jobFieldBlocks } from './job-fields.ts';
import { lifecycleBlocks } from './lifecycle.ts';
import { manualBlocks } from './manual.ts';
import { metricsBlock } from './metrics.ts';
import { routeBlock } from './routes.ts';
import { serverLimitBlock } from './server-limits.ts';
import { settingsBlock } from './settings.ts';

export async function referenceBlocks(): Promise<Block[]> {
  return [
    ...(await commandBlocks()),
    settingsBlock(),
    ...jobFieldBlocks(),
    routeBlock(),
    serverLimitBlock(),
    filterBlock(),
    ...errorBlocks(),
    await metricsBlock(),
    ...lifecycleBlocks(),
    ...manualBlocks(),
  ];
}
