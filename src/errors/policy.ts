// What the policy of a queue does not let anybody do: nothing was changed.

import { kinds } from './kind.ts';

export const POLICY_ERRORS = () =>
  kinds(
    { exit: 2, http: 403 },
    {
      refused_by_policy: {
        message: 'the policy of this queue refuses it: {reason}; nothing was changed',
        hint: '{hint}',
      },
      not_for_jobs: {
        message: '{name} may not do this: {problem}',
        hint: 'docs/guides/sandboxes-and-users.md lists what a job may do with its queue',
      },
    },
  );
