// Tokens as rows; their secrets are known to nobody any more.

import { Button } from '../../components/button.tsx';
import { confirm } from '../../components/dialog.tsx';
import { Ago, When } from '../../components/time.tsx';
import { send } from '../../core/api.ts';
import { now } from '../../core/clock.ts';
import { reloadAll } from '../../core/resource.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Token } from '../../core/types.ts';
import { RolesNote } from './roles.tsx';

export const TokenTable = ({ tokens }: { tokens: readonly Token[] }) => (
  <div class="table-frame">
    <table class="table cards">
      <thead>
        <tr>
          <th scope="col">token</th>
          <th scope="col">role</th>
          <th scope="col">last used</th>
          <th scope="col">ends</th>
          <th scope="col">added</th>
          <th scope="col">by</th>
          <th scope="col">
            <span class="out-of-sight">actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <Row key={token.id} token={token} />
        ))}
      </tbody>
    </table>
  </div>
);

const Row = ({ token }: { token: Token }) => (
  <tr>
    <td class="card-title">
      <span>
        <span class="name">{token.name}</span> <span class="muted small mono">{token.id}</span>
      </span>
    </td>
    <td data-label="role">
      <RolesNote role={token.role} />
    </td>
    <td data-label="last used">
      <Ago at={token.last_used_at} none="never" />
    </td>
    <td data-label="ends">
      <Ends at={token.expires_at} />
    </td>
    <td data-label="added">
      <When at={token.created_at} />
    </td>
    <td data-label="by" class="muted">
      {token.created_by}
    </td>
    <td class="narrow card-corner">
      <div class="row-actions">
        <Button icon="trash" kind="danger" label={`remove ${token.name}`} onPress={() => askToRemove(token)}>
          Remove
        </Button>
      </div>
    </td>
  </tr>
);

const Ends = ({ at }: { at: string | null }) =>
  at !== null && Date.parse(at) < now.value ? (
    <span class="tag bad">has ended</span>
  ) : (
    <Ago at={at} none="never" />
  );

const askToRemove = ({ id, name }: Token): void =>
  confirm({
    title: `Remove the token ${name}?`,
    text: <p>Programs that use it are turned away from now on.</p>,
    action: 'Remove the token',
    isDangerous: true,
    run: async () => {
      await send('DELETE', `/tokens/${encodeURIComponent(id)}`);
      sayDone(`The token ${name} is removed`);
      reloadAll();
    },
  });
