// Loads the overview in a real browser without a cache, from a small and a large queue in turns: from navigation until
// everything is shown.

import type { Browser } from 'playwright-core';
import type { Queue } from '../src/queue/queue.ts';
import { launchBrowser } from '../test/browser/launch.ts';
import { FEW, fill, MANY, type Places, serve } from './http-lists.ts';
import { median } from './measure.ts';
import { atMost, ms, type Row } from './row.ts';

const ROUNDS = 15;
const SECOND_MS = 1000;
const LIMIT = 1.5;
export async function compareOverviews({ prefix, open }: Places, say: (line: string) => void): Promise<Row[]> {
  const few = await served(await open('few'), FEW, say);
  const many = await served(await open('many'), MANY, say);
  const browser = await launchBrowser();
  const times = { few: [] as number[], many: [] as number[] };
  try {
    await visit(browser, few.address); // warms up the browser
    for (let round = 0; round < ROUNDS; round++) {
      say(`visit ${round + 1} of ${ROUNDS}`);
      times.few.push(await visit(browser, few.address));
      times.many.push(await visit(browser, many.address));
    }
  } finally {
    await browser.close();
    await Promise.all([few.close(), many.close()]);
  }
  const [ours, theirs] = [median(times.many), median(times.few)];
  const measure = `${prefix}the overview in a browser, with ${MANY.toLocaleString('en-US')} jobs`;
  return [
    { measure, ours: ms(ours), against: 'a second', theirs: ms(SECOND_MS), ...atMost(ours / SECOND_MS, 1) },
    {
      measure,
      ours: ms(ours),
      against: `with ${FEW.toLocaleString('en-US')}`,
      theirs: ms(theirs),
      ...atMost(ours / theirs, LIMIT),
    },
  ];
}

async function served(queue: Queue, count: number, say: (line: string) => void) {
  await fill(queue, count, say);
  const { url, token, close } = await serve(queue);
  const end = async (): Promise<void> => {
    await close();
    await queue.close();
  };
  return { address: `${url}/#token=${token}`, close: end };
}

/** Returns milliseconds until everything is shown. */
async function visit(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(address);
    for (const part of ['.figure-number', '.charts']) await page.locator(part).first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    return performance.now() - startedAt;
  } finally {
    await context.close();
  }
}
