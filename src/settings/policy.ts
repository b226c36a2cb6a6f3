// Builds the policy from the settings, and caches it until they change.

import type { Policy } from '../job/isolation/policy.ts';
import { foldersIn, namesIn, programsIn } from '../job/isolation/policy-lists.ts';
import type { SettingKey, Settings } from './settings.ts';

export const POLICY_KEYS = [
  'policy_shell',
  'policy_programs',
  'policy_variables',
  'policy_folders',
  'policy_queues',
  'policy_users',
  'policy_recipes_only',
] as const satisfies SettingKey[];

const known = new WeakMap<Settings, Policy | null>();

/** Returns null if there is no policy. */
export function policyOf(settings: Settings): Policy | null {
  const found = known.get(settings);
  if (found !== undefined) return found;
  const policy = POLICY_KEYS.every((key) => settings.source(key) === 'default') ? null : madeFrom(settings);
  known.set(settings, policy);
  return policy;
}

/** An unreadable value, as after a manual edit, allows nothing. */
const madeFrom = (settings: Settings): Policy => ({
  allowsShell: settings.value('policy_shell') === 'allow',
  programs: listIn(settings, 'policy_programs', programsIn),
  variables: listIn(settings, 'policy_variables', namesIn),
  folders: listIn(settings, 'policy_folders', foldersIn),
  queues: listIn(settings, 'policy_queues', namesIn),
  users: listIn(settings, 'policy_users', namesIn),
  heldToRecipes: settings.value('policy_recipes_only') as Policy['heldToRecipes'],
});

function listIn<T>(
  settings: Settings,
  key: SettingKey,
  read: (text: string) => readonly T[] | undefined,
): readonly T[] | null {
  const value = settings.value(key);
  return value === null ? null : (read(String(value)) ?? []);
}
