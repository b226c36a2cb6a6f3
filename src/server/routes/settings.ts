// Settings stored in the queue, and the source of each value.

import { z } from 'zod';
import type { Queue } from '../../queue/queue.ts';
import { settingsToJson } from '../../report/setting.ts';
import { route } from '../route.ts';

const valueSchema = z.union([z.string(), z.number(), z.boolean()]).nullable();

const settingSchema = z
  .object({
    key: z.string(),
    value: valueSchema,
    source: z.enum(['default', 'stored', 'environment', 'flag']),
    default: valueSchema,
    description: z.string(),
  })
  .meta({ id: 'Setting' });

const keyPath = z.object({ key: z.string().min(1).max(100) });

const settingsOf = async (queue: Queue) => settingsToJson(await queue.settings());

const settingOf = async (queue: Queue, key: string) =>
  (await settingsOf(queue)).find((setting) => (setting as { key?: unknown }).key === key);

const listSettings = route({
  id: 'listSettings',
  summary: 'List all settings and the sources of their values, without secrets',
  role: 'viewer',
  answers: {
    200: { help: 'Settings', schema: z.object({ settings: z.array(settingSchema), next: z.null() }) },
  },
  handle: async ({ queue }) => ({ json: { settings: await settingsOf(queue), next: null } }),
});

const setSetting = route({
  id: 'setSetting',
  summary: 'Store a setting; running workers apply it immediately',
  role: 'admin',
  parameters: keyPath,
  body: z.strictObject({
    value: valueSchema.describe('null for no value, if the setting allows it'),
  }),
  answers: { 200: { help: 'The updated setting', schema: settingSchema } },
  handle: async ({ queue, path, body }) => {
    const { key } = await queue.setSetting(path.key, String(body.value ?? 'none'));
    return { json: await settingOf(queue, key) };
  },
});

const unsetSetting = route({
  id: 'unsetSetting',
  summary: 'Reset a setting to its default',
  role: 'admin',
  parameters: keyPath,
  answers: { 200: { help: 'The updated setting', schema: settingSchema } },
  handle: async ({ queue, path }) => {
    const key = await queue.unsetSetting(path.key);
    return { json: await settingOf(queue, key) };
  },
});

export const settingRoutes = [listSettings, setSetting, unsetSetting];
