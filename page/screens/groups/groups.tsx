// Groups with their progress and the estimated time left.

import { Empty, Problem } from '../../components/feedback.tsx';
import { Screen } from '../../components/screen.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Ago } from '../../components/time.tsx';
import { useResource } from '../../core/resource.ts';
import { itemHref } from '../../core/router.ts';
import type { Group } from '../../core/types.ts';
import { GroupProgress, TimeLeft } from './progress.tsx';

const COLUMNS: readonly Column<Group>[] = [
  {
    head: 'group',
    cell: ({ name }) => (
      <a class="link name" href={itemHref('groups', name)}>
        {name}
      </a>
    ),
  },
  { head: 'progress', name: 'progress', cell: (group) => <GroupProgress group={group} /> },
  { head: 'time left', class: 'muted nowrap', cell: (group) => <TimeLeft group={group} /> },
  { head: 'created', isRight: true, class: 'muted', cell: ({ created_at }) => <Ago at={created_at} /> },
];

export default function Groups() {
  const { data, error, reload } = useResource<{ groups: Group[] }>('/groups');
  return (
    <Screen title="Groups">
      {error && !data ? (
        <Problem error={error} onRetry={reload} />
      ) : (
        <Table columns={COLUMNS} rows={data?.groups} keyOf={({ name }) => name} empty={<NoGroups />} isHeld />
      )}
    </Screen>
  );
}

const NoGroups = () => (
  <Empty title="No groups" command="queuectl enqueue --group photos --each files.txt 'convert {} {}.webp'">
    You can watch, wait for, retry and cancel the jobs of a group together.
  </Empty>
);
