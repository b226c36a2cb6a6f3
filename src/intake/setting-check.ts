// Checks that settings and hooks agree with the policy and the existing sandboxes.

import { expectSandbox } from './isolation-check.ts';
import { QueueError } from '../errors/errors.ts';
import { checkWebhooks } from './intake.ts';
import { HOOK_NAMES, type Hooks } from '../job/flow/hooks.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';
import { policyOf } from '../settings/policy.ts';
import { Settings, type SettingKey, type SettingValue } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

/** Throws invalid_setting or rejected_by_policy. */
export async function checkSetting(
  store: Store,
  key: SettingKey,
  value: SettingValue,
  who: Enqueuer | null,
): Promise<void> {
  if (typeof value !== 'string') return;
  try {
    if (HOOK_NAMES.some((name) => name === key)) await checkHookPolicy(store, { [key]: value }, who);
    if (key === 'sandbox') expectSandbox(value, new Settings(await store.settings()));
  } catch (error) {
    if (!(error instanceof QueueError) || error.code !== 'invalid_job') throw error;
    const { message: problem, hint } = error;
    throw new QueueError('invalid_setting', { problem, hint: hint ?? '' }, { cause: error });
  }
}

/** Loads the policy code only if there is a policy, which is rare. Throws invalid_job or rejected_by_policy. */
export async function checkHookPolicy(store: Store, hooks: Hooks, who: Enqueuer | null): Promise<void> {
  const settings = new Settings(await store.settings());
  await checkWebhooks([{ hooks }], settings);
  if (policyOf(settings) === null) return;
  const { checkHooks } = await import('./policy-check.ts');
  await checkHooks(store, hooks, { settings, who });
}
