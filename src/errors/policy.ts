// Requests that the policy rejects: nothing was changed.

import { kinds } from './kind.ts';

export const POLICY_ERRORS = () =>
  kinds(
    { exit: 2, http: 403 },
    {
      rejected_by_policy: {
        message: 'rejected by the policy: {reason}; nothing was changed',
        hint: '{hint}',
      },
      not_for_jobs: {
        message: '{name} is not allowed to do this: {problem}',
        hint: 'see docs/guides/sandboxes-and-users.md for what a job may do with its queue',
      },
    },
  );
