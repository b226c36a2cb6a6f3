// Opens a page with the printed URL, on a separate server and queue.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Queue } from '../../src/queue/queue.ts';
import { startServer, type TestServer } from '../server/support.ts';
import { theBrowser } from './browser.ts';

export interface Looks {
  readonly device?: 'desktop' | 'phone';
  readonly scheme?: 'light' | 'dark';
}

export interface Opened extends TestServer {
  readonly page: Page;
  /** Opens another path. */
  go(path: string): Promise<void>;
}

const AXE = fs.readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Rules whose result depends on the colour scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The rows of a table are alike, and the contrast of each costs axe 40 ms. */
const CHECKED = { exclude: [['tbody tr:nth-child(n+13)']] };

interface Device {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly isMobile: boolean;
  readonly hasTouch: boolean;
  readonly deviceScaleFactor: number;
}

const DEVICES: Readonly<Record<'desktop' | 'phone', Device>> = {
  desktop: { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

export const openPage = async (t: TestContext, path = '/', looks: Looks = {}): Promise<Opened> =>
  opened(t, await startServer(t), path, looks);

/** Opens a page on an existing queue, for example one with workers. */
export const openPageOf = async (t: TestContext, queue: Queue, path: string): Promise<Opened> =>
  opened(t, await startServer(t, { db: queue.place.name }), path, {});

async function opened(t: TestContext, server: TestServer, path: string, looks: Looks): Promise<Opened> {
  const page = await newPage(t, looks);
  await page.goto(`${server.url}${path}#token=${server.token}`);
  await page.getByRole('main').waitFor();
  return { ...server, page, go: (path) => goTo(page, `${server.url}${path}`) };
}

/** Fails the test on uncaught errors and on violations of the Content-Security-Policy. */
export async function newPage(t: TestContext, looks: Looks = {}): Promise<Page> {
  const { device = 'desktop', scheme = 'light' } = looks;
  const browser = await theBrowser();
  const context = await browser.newContext({ ...DEVICES[device], colorScheme: scheme });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) errors.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(errors, []);
  });
  return page;
}

async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('main').waitFor();
}

export async function enqueueAll(queue: Queue, jobs: readonly Record<string, unknown>[]): Promise<void> {
  const { read, enqueue } = await queue.intake();
  await enqueue(jobs.map(read));
}

/** Checks accessibility with axe. */
export async function assertAccessible(page: Page, more: RunOptions = {}): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const rules = { 'label-content-name-mismatch': { enabled: true } };
  const options: RunOptions = { resultTypes: ['violations'], selectors: false, rules, ...more };
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(CHECKED)}, ${JSON.stringify(options)})`,
  )) as AxeResults;
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => html).join('\n')}`);
  assert.deepEqual(told, []);
}

/** Checks that the page does not scroll sideways. */
export async function assertFits(page: Page): Promise<void> {
  const [content, screen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
  assert.ok((content ?? 0) <= (screen ?? 0), `the page is ${content} wide on a screen of ${screen}`);
}

/**
 * Checks accessibility and width on desktop and phone, and dark colours on desktop. Reuses a page that shows the screen: a fresh one
 * for the phone would take a new process of the browser, which costs more than the check.
 */
export async function assertLooksGood(
  t: TestContext,
  opened: Opened,
  path: string,
  isReady: (page: Page) => Promise<unknown>,
): Promise<void> {
  const isThere = opened.page.url() === `${opened.url}${path}`;
  const desktop = isThere ? opened.page : await anotherPage(t, opened, path);
  await assertPageLooksGood(desktop, isReady);
  await desktop.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(desktop, { runOnly: OF_COLOURS });
  await desktop.emulateMedia({ colorScheme: 'light' });
  await desktop.setViewportSize({ width: 1024, height: 768 });
  await assertFits(desktop);
  await desktop.setViewportSize(DEVICES.desktop.viewport);
  await onPhone(desktop, () => assertPageLooksGood(desktop, isReady));
}

async function anotherPage(t: TestContext, { url, token }: Opened, path: string): Promise<Page> {
  const page = await newPage(t);
  await page.goto(`${url}${path}#token=${token}`);
  return page;
}

/** Turns the page into one on a phone: its size, its touch screen, and how it reads the viewport. */
async function onPhone(page: Page, does: () => Promise<void>): Promise<void> {
  const { phone, desktop } = DEVICES;
  const session = await page.context().newCDPSession(page);
  const become = async ({ viewport, isMobile: mobile, hasTouch: enabled, deviceScaleFactor }: Device) => {
    await session.send('Emulation.setDeviceMetricsOverride', { ...viewport, mobile, deviceScaleFactor });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled });
  };
  await become(phone);
  assert.equal(await page.evaluate('matchMedia("(pointer: coarse) and (max-width: 390px)").matches'), true);
  await does();
  await become(desktop);
  await session.detach();
}

async function assertPageLooksGood(page: Page, isReady: (page: Page) => Promise<unknown>): Promise<void> {
  await isReady(page);
  await assertFits(page);
  await assertAccessible(page);
}
