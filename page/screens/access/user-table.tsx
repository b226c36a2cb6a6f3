// Users as rows.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { When } from '../../components/time.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import type { User } from '../../core/types.ts';
import { RolesNote } from './roles.tsx';

export const UserTable = ({ users }: { users: readonly User[] }) => (
  <div class="table-frame">
    <table class="table cards">
      <thead>
        <tr>
          <th scope="col">user</th>
          <th scope="col">role</th>
          <th scope="col">added</th>
          <th scope="col">by</th>
          <th scope="col">
            <span class="out-of-sight">actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <Row key={user.name} user={user} />
        ))}
      </tbody>
    </table>
  </div>
);

const Row = ({ user }: { user: User }) => (
  <tr>
    <td class="name card-title">{user.name}</td>
    <td data-label="role">
      <RolesNote role={user.role} />
    </td>
    <td data-label="added">
      <When at={user.created_at} />
    </td>
    <td data-label="by" class="muted">
      {user.created_by}
    </td>
    <td class="narrow card-corner">
      <div class="row-actions">
        <Button icon="trash" kind="danger" label={`remove ${user.name}`} onPress={() => askToRemove(user)}>
          Remove
        </Button>
      </div>
    </td>
  </tr>
);

const askToRemove = ({ name }: User): void =>
  confirm({
    title: `Remove ${name}?`,
    text: <p>{name} can log in no longer, and sessions end at once.</p>,
    action: 'Remove the user',
    isDangerous: true,
    run: async () => {
      await send('DELETE', `/users/${encodeURIComponent(name)}`);
      sayDone(`${name} is removed`);
      reloadAll();
    },
  });
