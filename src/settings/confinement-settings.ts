// Global settings for sandboxes and users.

import { QueueError } from '../errors/errors.ts';
import { isValidId } from '../job/id.ts';
import { foldersIn } from '../job/isolation/policy-lists.ts';
import { BUILT_IN_SANDBOXES, ProfileProblem, sandboxProfiles } from '../job/isolation/sandbox-profile.ts';
import { type Setting, text, word } from './setting-kinds.ts';

const shared = (setting: Setting): Setting => ({ ...setting, isShared: true });

const name = (means: string, expected: string): Setting => ({
  default: null,
  means,
  parse: (given) => (isValidId(given) ? given : undefined),
  expected,
});

const VARIABLES = /^[A-Za-z_][A-Za-z0-9_]*\*?([\s,]+[A-Za-z_][A-Za-z0-9_]*\*?)*$/;

export const CONFINEMENT_SETTINGS = {
  sandbox: shared(
    name(
      'the sandbox of every job whose queue names none',
      `a profile: ${BUILT_IN_SANDBOXES.join(', ')} or yours`,
    ),
  ),
  sandbox_profiles: shared({ ...text(null, 'sandboxes of your own, as a JSON object'), parse: profiles }),
  sandbox_directories: shared({
    ...text(null, 'working directories that jobs may have in a required sandbox; others get a private one'),
    parse: (given) => (foldersIn(given) === undefined ? undefined : given),
    expected: 'absolute paths, ; between them, /* at the end for each directory in one',
  }),
  run_as: shared(name('the user of every job whose queue names none', 'the name of a user')),
  run_as_root: shared(
    word(
      'allowed',
      ['allowed', 'refused'],
      'what a worker of root does with a job for which nobody names a user',
    ),
  ),
  inherit_from_worker: shared({
    ...text(null, 'the only variables that jobs inherit from their worker, such as PATH,LANG,LC_*'),
    parse: (given) => (VARIABLES.test(given) ? given : undefined),
    expected: 'names of variables, with a * at the end for all that begin so',
  }),
} satisfies Record<string, Setting>;

/** Throws an error that names the invalid field and profile. */
function profiles(given: string): string {
  try {
    sandboxProfiles(given);
    return given;
  } catch (error) {
    if (!(error instanceof ProfileProblem)) throw error;
    const hint = `'{"build": {"writable": ["{cwd}", "/var/cache/build"], "network": true}}'`;
    throw new QueueError('invalid_setting', { problem: error.message, hint });
  }
}

/** Global isolation from the settings. */
export function confinementOfSettings(value: (key: 'sandbox' | 'run_as') => unknown): {
  readonly sandbox?: string;
  readonly user?: string;
} {
  const [sandbox, user] = [value('sandbox'), value('run_as')];
  return {
    ...(typeof sandbox === 'string' && { sandbox }),
    ...(typeof user === 'string' && { user }),
  };
}
