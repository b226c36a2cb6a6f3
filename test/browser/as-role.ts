// Opens a page as a user with a limited role.

import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/access/role.ts';
import type { TestServer } from '../server/support.ts';
import { newPage } from './support.ts';

export async function openAs(t: TestContext, server: TestServer, role: Role, path: string): Promise<Page> {
  const { secret } = await (await server.queue.accounts()).addToken({ name: `a-${role}`, role }, 'test');
  const page = await newPage(t);
  await page.goto(`${server.url}${path}#token=${secret}`);
  await page.getByRole('main').waitFor();
  return page;
}
