// Each setting of the policy in words: what it is about, and what it says.

import type { POLICY_KEYS } from '../../../src/settings/policy.ts';
import type { Setting } from '../settings/setting.ts';

export type PolicyKey = (typeof POLICY_KEYS)[number];

interface Rule {
  readonly about: string;
  /** What holds while nobody has said anything. */
  readonly unsaid: string;
  /** What a value says; a list is shown item by item. */
  readonly says: (value: string) => { readonly words: string; readonly items?: readonly string[] };
  readonly example: string;
}

const parted =
  (by: RegExp) =>
  (value: string): string[] =>
    value
      .split(by)
      .map((item) => item.trim())
      .filter(Boolean);

const lines = parted(/;|\n/);
const names = parted(/[\s,]+/);

const ONLY_RECIPES: Readonly<Record<string, string>> = {
  nobody: 'Nobody is held to recipes.',
  enqueuers: 'Those with the role enqueuer enqueue recipes alone.',
  api: 'Over HTTP, and as an agent, recipes alone are enqueued.',
  everybody: 'Everybody enqueues recipes alone.',
};

export const RULES: Readonly<Record<PolicyKey, Rule>> = {
  policy_shell: {
    about: 'Shell',
    unsaid: 'Commands for the shell are allowed.',
    says: (value) => ({
      words:
        value === 'refuse'
          ? 'Commands for the shell are refused: a job is a program and its arguments.'
          : 'Commands for the shell are allowed.',
    }),
    example: 'queuectl config set policy_shell refuse',
  },
  policy_programs: {
    about: 'Programs',
    unsaid: 'Any program may run.',
    says: (value) => ({ words: 'Only these may run, with such arguments:', items: lines(value) }),
    example: "queuectl config set policy_programs '/usr/bin/convert **; rsync -a -- * backup:*'",
  },
  policy_variables: {
    about: 'Variables',
    unsaid: 'Where programs or recipes are prescribed, jobs may set no variables.',
    says: (value) => ({
      words: 'Where programs or recipes are prescribed, jobs may set only these:',
      items: names(value),
    }),
    example: "queuectl config set policy_variables 'LANG IMG_*'",
  },
  policy_folders: {
    about: 'Folders',
    unsaid: 'Jobs may run in any folder.',
    says: (value) => ({ words: 'Jobs run in or below these alone:', items: lines(value) }),
    example: "queuectl config set policy_folders '/srv/media; /srv/in'",
  },
  policy_queues: {
    about: 'Queues',
    unsaid: 'Every queue takes jobs.',
    says: (value) => ({ words: 'Only these take jobs:', items: names(value) }),
    example: "queuectl config set policy_queues 'img-* mail'",
  },
  policy_users: {
    about: 'People',
    unsaid: 'Whoever has access may enqueue.',
    says: (value) => ({ words: 'Only these may enqueue:', items: names(value) }),
    example: "queuectl config set policy_users 'ann@* token:ci'",
  },
  policy_recipes_only: {
    about: 'Recipes',
    unsaid: 'Nobody is held to recipes.',
    says: (value) => ({ words: ONLY_RECIPES[value] ?? value }),
    example: 'queuectl config set policy_recipes_only enqueuers',
  },
};

export const isOfPolicy = ({ key }: Setting): boolean => Object.hasOwn(RULES, key);
