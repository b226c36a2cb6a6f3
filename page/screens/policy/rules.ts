// Descriptions of the policy settings and their values.

import type { POLICY_KEYS } from '../../../src/settings/policy.ts';
import type { Setting } from '../../core/types.ts';

export type PolicyKey = (typeof POLICY_KEYS)[number];

interface Rule {
  readonly about: string;
  /** The effect of the default. */
  readonly unset: string;
  /** The effect of a value; lists are shown as items. */
  readonly describe: (value: string) => { readonly words: string; readonly items?: readonly string[] };
  readonly example: string;
}

const lines = (value: string): string[] =>
  value
    .trim()
    .split(/\s*[;\n]\s*/)
    .filter(Boolean);
const names = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);

const ONLY_RECIPES: Readonly<Record<string, string>> = {
  nobody: 'Recipes are optional for all users.',
  enqueuers: 'Users with the role enqueuer may enqueue recipes only.',
  api: 'Over HTTP and MCP, users may enqueue recipes only.',
  everybody: 'All users may enqueue recipes only.',
};

export const RULES: Readonly<Record<PolicyKey, Rule>> = {
  policy_shell: {
    about: 'Shell',
    unset: 'Shell commands are allowed.',
    describe: (value) => ({
      words:
        value === 'reject'
          ? 'Shell commands are rejected; jobs run a program with arguments.'
          : 'Shell commands are allowed.',
    }),
    example: 'queuectl config set policy_shell reject',
  },
  policy_programs: {
    about: 'Programs',
    unset: 'All programs are allowed.',
    describe: (value) => ({ words: 'Only these programs and arguments are allowed:', items: lines(value) }),
    example: "queuectl config set policy_programs '/usr/bin/convert **; rsync -a -- * backup:*'",
  },
  policy_variables: {
    about: 'Variables',
    unset: 'If programs or recipes are restricted, jobs may not set variables.',
    describe: (value) => ({
      words: 'If programs or recipes are restricted, jobs may set only these variables:',
      items: names(value),
    }),
    example: "queuectl config set policy_variables 'LANG IMG_*'",
  },
  policy_folders: {
    about: 'Directories',
    unset: 'Jobs may run in any directory.',
    describe: (value) => ({ words: 'Jobs may run only in or below these directories:', items: lines(value) }),
    example: "queuectl config set policy_folders '/srv/media; /srv/in'",
  },
  policy_queues: {
    about: 'Queues',
    unset: 'All queues accept jobs.',
    describe: (value) => ({ words: 'Only these queues accept jobs:', items: names(value) }),
    example: "queuectl config set policy_queues 'img-* mail'",
  },
  policy_users: {
    about: 'Users',
    unset: 'All users with access may enqueue.',
    describe: (value) => ({ words: 'Only these users may enqueue:', items: names(value) }),
    example: "queuectl config set policy_users 'ann@* token:ci'",
  },
  policy_recipes_only: {
    about: 'Recipes',
    unset: 'Recipes are optional for all users.',
    describe: (value) => ({ words: ONLY_RECIPES[value] ?? value }),
    example: 'queuectl config set policy_recipes_only enqueuers',
  },
};

export const isOfPolicy = ({ key }: Setting): boolean => Object.hasOwn(RULES, key);
