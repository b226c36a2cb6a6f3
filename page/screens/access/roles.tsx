// What each role may do. Each may also do whatever those before it may.

import type { Role } from '../../../src/server/role.ts';
import { Section } from '../../components/screen.tsx';
import { session } from '../../core/session.ts';

export const ROLES: readonly { readonly value: Role; readonly may: string }[] = [
  { value: 'viewer', may: 'looks at everything but the values of variables' },
  { value: 'enqueuer', may: 'also creates jobs, and so runs commands as the user of the workers' },
  { value: 'operator', may: 'also changes jobs, groups, queues, schedules and workers' },
  { value: 'admin', may: 'also settings, users and tokens, and sees the values of variables' },
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
