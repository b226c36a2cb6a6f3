// Groups: jobs that belong together, with how far each is and how long it may still take.

import { Empty, Loading, Problem } from '../../components/feedback.tsx';
import { Screen } from '../../components/screen.tsx';
import { Ago } from '../../components/time.tsx';
import { useHeldRows } from '../../components/table/held-rows.ts';
import { useResource } from '../../core/resource.ts';
import type { Group } from '../../core/types.ts';
import { GroupProgress, TimeLeft } from './progress.tsx';

export default function Groups() {
  const { data, error, reload } = useResource<{ groups: Group[] }>('/groups');
  return (
    <Screen title="Groups">
      {error && !data ? <Problem error={error} onRetry={reload} /> : <List groups={data?.groups} />}
    </Screen>
  );
}

const NONE: readonly Group[] = [];

function List({ groups: newest }: { groups: readonly Group[] | undefined }) {
  const { rows: groups, held } = useHeldRows(newest ?? NONE, ({ name }) => name);
  if (!newest) return <Loading />;
  if (groups.length === 0) {
    return (
      <Empty
        title="No groups"
        command="queuectl enqueue --group photos --each files.txt 'convert {} {}.webp'"
      >
        Jobs of a group are watched, waited for, retried and cancelled together.
      </Empty>
    );
  }
  return (
    <div class="table-frame">
      <table class="table cards">
        <thead>
          <tr>
            <th scope="col">group</th>
            <th scope="col" class="progress-head">
              progress
            </th>
            <th scope="col">time left</th>
            <th scope="col" class="right">
              created
            </th>
          </tr>
        </thead>
        <tbody {...held}>
          {groups.map((group) => (
            <tr key={group.name}>
              <td data-label="group">
                <a class="link name" href={`/groups/${encodeURIComponent(group.name)}`}>
                  {group.name}
                </a>
              </td>
              <td data-label="progress">
                <GroupProgress group={group} />
              </td>
              <td data-label="time left" class="muted nowrap">
                <TimeLeft group={group} />
              </td>
              <td data-label="created" class="right muted">
                <Ago at={group.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
