// Measures the dashboard's overview in a real browser without a cache: from navigation until everything is shown.

import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/browser/launch.ts';
import { elapsed } from '../measure.ts';
import { atMost, count, onBoth } from '../row.ts';
import { FEW, filled, MANY, serving } from '../served.ts';

export const benches = onBoth('overview', 'the overview in a browser', async function* (kit) {
  const queues = [await filled(kit, 'few', FEW), await filled(kit, 'many', MANY)];
  const browser = await launchBrowser();
  try {
    yield* serving(queues, async function* (few, many) {
      const measure = `${kit.prefix}the overview in a browser, with ${count(MANY)} jobs`;
      const [visitFew, visitMany] = [few, many].map((one) => () => visit(browser, one?.address ?? ''));
      const common = {
        measure,
        unit: 'ms',
        samples: 3,
        warmUp: true,
        ours: visitMany as () => Promise<number>,
      } as const;
      yield { ...common, against: 'a second', target: atMost(1), peer: 1000 };
      yield { ...common, against: `with ${count(FEW)}`, target: atMost(1.5), peer: visitFew as () => Promise<number> };
    });
  } finally {
    await browser.close();
  }
});

/** Returns milliseconds until everything is shown. */
async function visit(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    return await elapsed(async () => {
      await page.goto(address);
      for (const part of ['.figure-number', '.charts']) await page.locator(part).first().waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
    });
  } finally {
    await context.close();
  }
}
