import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openPage } from './support.ts';

test('the page removes the token from the URL when it opens', async (t) => {
  const { page, url } = await openPage(t, '/?a=1');
  assert.equal(page.url(), `${url}/?a=1`);
  assert.equal(await page.title(), 'Overview · queuectl');
});

test('the URL of a screen opens directly, and an unknown URL reports an error', async (t) => {
  const { page } = await openPage(t, '/no/such/place');
  await page.getByText('Page /no/such/place not found').waitFor();
  await page.getByRole('navigation', { name: 'navigation', exact: true }).getByText('Overview').click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

test('keys open screens, the key sheet and the palette', async (t) => {
  const { page, queue } = await openPage(t, '/no/such/place');
  const { read, enqueue } = await queue.intake();
  await enqueue([read({ id: 'build-site', command: 'make site' })]);
  await page.getByText('Page /no/such/place not found').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('site');
  await page.getByRole('option', { name: /build-site/ }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/jobs/build-site');
});

test('colours follow the system until the user chooses, and the choice is kept', async (t) => {
  const { page } = await openPage(t, '/', { scheme: 'dark' });
  const theme = () => page.evaluate('document.documentElement.dataset.theme');
  assert.equal(await theme(), 'dark');
  await page.keyboard.press('t');
  assert.equal(await theme(), 'light');
  await page.reload();
  await page.getByRole('main').waitFor();
  assert.equal(await theme(), 'light');
});

test('on a phone the navigation is at the bottom, and a drawer lists all screens', async (t) => {
  const { page } = await openPage(t, '/', { device: 'phone' });
  await page.getByRole('button', { name: 'More' }).click();
  const drawer = page.getByRole('dialog', { name: 'Screens' });
  await drawer.getByText('Dead jobs').waitFor();
  await assertAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page);
});
