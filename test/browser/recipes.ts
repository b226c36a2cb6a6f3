import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, openPage } from './support.ts';

test('a recipe is added, enqueued with parameters, changed and deleted', async (t) => {
  const { page, queue } = await openPage(t, '/recipes');
  await page.getByText('queuectl recipe add resize -- convert', { exact: false }).waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Add a recipe' });
  await form.getByLabel(/^Name/).fill('resize');
  await form.getByLabel(/^Command/).fill("convert {in:path} -resize {size:int(1..400)=200} 'a b' {to:what}");
  await form.getByRole('button', { name: 'Add the recipe' }).click();
  await form.getByRole('alert').getByText("has the unknown type 'what'", { exact: false }).waitFor();
  await form.getByLabel(/^Command/).fill("convert {in:path} -resize {size:int(1..400)=200} 'a b' {to:choice(x,y)}");
  await form.getByText('a whole number, 1..400 (default: 200)').waitFor();
  await form.getByText('queuectl recipe add resize -- convert', { exact: false }).waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Add the recipe' }).click();
  await page.getByRole('button', { name: 'enqueue resize' }).click();

  const job = page.getByRole('dialog', { name: 'New job from resize' });
  await job.getByLabel('in a path').fill('a.png');
  await job.getByLabel('size a whole number').fill('999');
  await job.getByLabel('to', { exact: true }).selectOption('y');
  await job.getByText("convert a.png -resize 999 'a b' y").waitFor();
  await job.getByRole('button', { name: 'Enqueue' }).click();
  const problem = job.getByRole('alert').getByText('from 1 to 400, not 999', { exact: false });
  await problem.waitFor();
  assert.equal(await job.getByLabel('size a whole number').getAttribute('aria-invalid'), 'true');
  await job.getByLabel('size a whole number').fill('');
  await job.getByRole('button', { name: 'Enqueue' }).click();
  await page.waitForURL(/\/jobs\/./);
  const [made] = await queue.list({ sort: 'created', descending: true, limit: 1 });
  assert.deepEqual(made?.command, ['convert', 'a.png', '-resize', '200', 'a b', 'y']);
  assert.deepEqual(made?.confinement?.recipe, { name: 'resize', params: { in: 'a.png', to: 'y' } });

  await page.getByRole('link', { name: 'resize' }).click();
  await page.getByRole('button', { name: 'change resize' }).click();
  const change = page.getByRole('dialog', { name: 'Change resize' });
  await change.getByLabel(/^Command/).fill('convert {in:path}');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  const recipes = await queue.recipes();
  assert.deepEqual((await recipes.get('resize')).command, ['convert', '{in:path}']);
  await page.getByRole('button', { name: 'delete resize' }).click();
  await page.getByRole('button', { name: 'Delete the recipe' }).click();
  await page.getByText('No recipes yet').waitFor();
  assert.deepEqual(await recipes.all(), []);
});

test('an enqueuer restricted to recipes sees only recipes and cannot change them', async (t) => {
  const opened = await openPage(t);
  const recipes = await opened.queue.recipes();
  const words = ['convert', '{in:path(/srv/media)}', '{size:int(1..4000)=800}', '{kind:choice(web,print)=web}'];
  await recipes.add({ name: 'resize', command: words, mayReplace: false }, 'ann');
  await opened.queue.setSetting('policy_recipes_only', 'enqueuers');
  const page = await openAs(t, opened, 'enqueuer', '/recipes');
  await page.getByRole('button', { name: 'enqueue resize' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /change|delete|Add a recipe/ }).count(), 0);
  await page.goto(`${opened.url}/jobs?new=1`);
  const form = page.getByRole('dialog', { name: 'New job' });
  await form.getByLabel(/^What runs/).selectOption('resize');
  await form.getByText('the policy allows recipes only').waitFor();
  assert.equal(await form.getByLabel(/^Command/).count(), 0);
  await assertLooksGood(t, opened, '/recipes', (page) => page.getByText('one of web, print (default: web)').waitFor());
});
