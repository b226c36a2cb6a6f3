// Permissions of each role. A role includes the permissions of the roles before it.

import { Section } from '../../components/screen.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { session } from '../../core/session.ts';
import type { Role } from '../../core/types.ts';

interface Row {
  readonly value: Role;
  readonly may: string;
}

const ROLES: readonly Row[] = [
  { value: 'viewer', may: 'views everything except the values of variables' },
  { value: 'enqueuer', may: 'enqueues jobs, and so runs commands as the workers’ user' },
  { value: 'operator', may: 'changes jobs, groups, queues, schedules and workers' },
  { value: 'admin', may: 'changes settings, users and tokens, and views the values of variables' },
];

export const ROLE_CHOICES = ROLES.map(({ value, may }) => ({ value, words: `${value}: ${may}` }));

export const RoleTag = ({ role }: { role: Role }) => (
  <span class={`tag${role === 'admin' ? ' warn' : ''}`}>{role}</span>
);

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'role',
    width: 'fit',
    card: 'title',
    class: 'name',
    cell: ({ value }) => (
      <>
        {value} {session.value?.role === value && <span class="tag">you</span>}
      </>
    ),
  },
  { head: 'permissions', card: 'text', class: 'muted', cell: ({ may }) => may },
];

export const Roles = () => (
  <Section title="Roles">
    <Table columns={COLUMNS} rows={ROLES} keyOf={({ value }) => value} areHeadsHidden />
  </Section>
);
