// Settings of the policy (src/job/isolation/policy.ts). They apply to all users of the queue.

import { foldersIn, HELD_TO_RECIPES, namesIn, programsIn } from '../job/isolation/policy-lists.ts';
import { type Setting, word } from './setting-kinds.ts';

const shared = (setting: Setting): Setting => ({ ...setting, isShared: true });

/** Stored as written, for readability. */
function list(means: string, read: (text: string) => unknown, expected: string): Setting {
  const parse = (value: string) => (read(value) === undefined ? undefined : value);
  return { default: null, means, parse, expected, isShared: true };
}

export const POLICY_SETTINGS = {
  policy_shell: shared(word('allow', ['allow', 'refuse'], 'whether commands for the shell may be enqueued')),
  policy_programs: list(
    "programs that may run, with their arguments: '/usr/bin/convert **; rsync -a -- * backup:*'",
    programsIn,
    'absolute paths or names of programs with patterns of their arguments, ; between them, ** last for any more',
  ),
  policy_variables: list(
    'variables that jobs may set where policy_programs or policy_recipes_only applies: LANG, IMG_*',
    namesIn,
    'names or patterns, spaces between them',
  ),
  policy_folders: list('folders that jobs may run in or below', foldersIn, 'absolute paths, ; between them'),
  policy_queues: list('queues that take jobs', namesIn, 'names or patterns, spaces between them'),
  policy_users: list('who may enqueue: ann@*, token:ci', namesIn, 'names or patterns, spaces between them'),
  policy_recipes_only: shared(
    word(
      'nobody',
      HELD_TO_RECIPES,
      'who may enqueue recipes alone; enqueuers: that role, api: all over HTTP and agents',
    ),
  ),
} satisfies Record<string, Setting>;
