// Global settings for sandboxes and users.

import { QueueError } from '../errors/errors.ts';
import { isValidId } from '../job/id.ts';
import { foldersIn } from '../job/isolation/policy-lists.ts';
import { BUILT_IN_SANDBOXES, ProfileProblem, sandboxProfiles } from '../job/isolation/sandbox-profile.ts';
import { type Setting, shared, text, word } from './setting-kinds.ts';

const name = (help: string, expected: string): Setting => ({
  default: null,
  help,
  parse: (given) => (isValidId(given) ? given : undefined),
  expected,
});

const VARIABLES = /^[A-Za-z_][A-Za-z0-9_]*\*?([\s,]+[A-Za-z_][A-Za-z0-9_]*\*?)*$/;

export const CONFINEMENT_SETTINGS = {
  sandbox: shared(
    name(
      'default sandbox for jobs whose queue sets none',
      `a profile: ${BUILT_IN_SANDBOXES.join(', ')} or a custom one`,
    ),
  ),
  sandbox_profiles: shared({ ...text(null, 'custom sandbox profiles, as a JSON object'), parse: profiles }),
  sandbox_directories: shared({
    ...text(null, 'working directories allowed in a required sandbox; other jobs get a private directory'),
    parse: (given) => (foldersIn(given) === undefined ? undefined : given),
    expected: 'absolute paths separated by ; and ending in /* for every directory in one',
  }),
  run_as: shared(name('default user for jobs whose queue sets none', 'a user name')),
  run_as_root: shared(
    word('allowed', ['allowed', 'rejected'], 'whether a worker running as root may run jobs without a user as root'),
  ),
  inherit_from_worker: shared({
    ...text(null, 'the only variables that jobs inherit from their worker, for example PATH,LANG,LC_*'),
    parse: (given) => (VARIABLES.test(given) ? given : undefined),
    expected: 'variable names, with a trailing * for a prefix',
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
