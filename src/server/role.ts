// An authenticated client and its role.

import type { Role } from '../access/role.ts';
import type { Enqueuer } from '../job/isolation/policy.ts';

export { isRole, mayActAs, ROLES, type Role } from '../access/role.ts';

export interface Principal {
  /** For the audit log. */
  readonly name: string;
  readonly role: Role;
}

/** For the policy. */
export const enqueuerOf = ({ name, role }: Principal, via: Enqueuer['via']): Enqueuer => ({
  name,
  via,
  role,
});
