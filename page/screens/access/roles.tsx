// Permissions of each role. A role includes the permissions of the roles before it.

import type { Role } from '../../../src/server/role.ts';
import { Section } from '../../components/screen.tsx';
import { session } from '../../core/session.ts';

export const ROLES: readonly { readonly value: Role; readonly may: string }[] = [
  { value: 'viewer', may: 'views everything except the values of variables' },
  { value: 'enqueuer', may: 'enqueues jobs, and so runs commands as the workers’ user' },
  { value: 'operator', may: 'changes jobs, groups, queues, schedules and workers' },
  { value: 'admin', may: 'changes settings, users and tokens, and views the values of variables' },
];

export const ROLE_CHOICES = ROLES.map(({ value, may }) => ({ value, words: `${value}: ${may}` }));

export const RolesNote = ({ role }: { role: Role }) => (
  <span class={`tag${role === 'admin' ? ' warn' : ''}`}>{role}</span>
);

export const Roles = () => (
  <Section title="Roles">
    <dl class="roles">
      {ROLES.map(({ value, may }) => (
        <div key={value}>
          <dt>
            {value} {session.value?.role === value && <span class="tag">you</span>}
          </dt>
          <dd class="muted">{may}</dd>
        </div>
      ))}
    </dl>
  </Section>
);
