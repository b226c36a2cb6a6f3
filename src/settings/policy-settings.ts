// Settings of the policy (src/job/isolation/policy.ts). They apply to all users of the queue.

import { foldersIn, HELD_TO_RECIPES, namesIn, programsIn } from '../job/isolation/policy-lists.ts';
import { type Setting, shared, word } from './setting-kinds.ts';

/** Stored as written, for readability. */
function list(help: string, read: (text: string) => unknown, expected: string): Setting {
  const parse = (value: string) => (read(value) === undefined ? undefined : value);
  return { default: null, help, parse, expected, isShared: true };
}

export const POLICY_SETTINGS = {
  policy_shell: shared(word('allow', ['allow', 'reject'], 'whether shell commands may be enqueued')),
  policy_programs: list(
    "allowed programs and arguments, for example '/usr/bin/convert **; rsync -a -- * backup:*'",
    programsIn,
    'program names or absolute paths with argument patterns, separated by ; with ** at the end for any further arguments',
  ),
  policy_variables: list(
    'variables that jobs may set if policy_programs or policy_recipes_only applies, for example LANG, IMG_*',
    namesIn,
    'names or patterns separated by spaces',
  ),
  policy_folders: list(
    'directories in which jobs may run, including subdirectories',
    foldersIn,
    'absolute paths separated by ;',
  ),
  policy_queues: list('queues that accept jobs', namesIn, 'names or patterns separated by spaces'),
  policy_users: list(
    'users and tokens that may enqueue, for example ann@*, token:ci',
    namesIn,
    'names or patterns separated by spaces',
  ),
  policy_recipes_only: shared(
    word(
      'nobody',
      HELD_TO_RECIPES,
      'users restricted to recipes: nobody, enqueuers (that role), api (HTTP and agents) or everybody',
    ),
  ),
} satisfies Record<string, Setting>;
