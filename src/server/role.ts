// Who asks, and what that one may do.

import type { Role } from '../access/role.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';

export { isRole, mayActAs, ROLES, type Role } from '../access/role.ts';

export interface Principal {
  /** For people, in the record of what was done. */
  readonly name: string;
  readonly role: Role;
}

/** For the policy of the queue. */
export const enqueuerOf = ({ name, role }: Principal, via: Enqueuer['via']): Enqueuer => ({
  name,
  via,
  role,
});
