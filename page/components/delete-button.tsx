// Deletes an item after confirmation.

import { send } from '../core/api.ts';
import { reloadAll } from '../core/resource.ts';
import { itemHref, navigate } from '../core/router.ts';
import { sayDone } from '../core/toasts.ts';
import { Button } from './button.tsx';
import { confirm } from './dialog.tsx';

interface Deletion {
  /** As in 'Delete the secret DB_PASSWORD?'. The plural is the path of the list. */
  readonly noun: 'group' | 'job' | 'recipe' | 'schedule' | 'secret' | 'token' | 'user';
  readonly name: string;
  /** The last part of the path, if it is not the name. */
  readonly id?: string;
  readonly consequence: string;
  /** A row of a table names the item; the item's own screen does not, and is left afterwards. */
  readonly isInRow?: boolean;
  readonly hasText?: boolean;
}

export const DeleteButton = ({ noun, name, id = name, consequence, isInRow, hasText }: Deletion) => {
  const ask = (): void =>
    confirm({
      title: `Delete the ${noun} ${name}?`,
      text: <p>{consequence}</p>,
      action: `Delete the ${noun}`,
      isDangerous: true,
      run: async () => {
        await send('DELETE', itemHref(`${noun}s`, id));
        sayDone(`${noun} ${name} deleted`);
        if (!isInRow) navigate(`/${noun}s`);
        reloadAll();
      },
    });
  return (
    <Button icon="trash" kind="danger" label={isInRow ? `delete ${name}` : 'Delete'} onPress={ask}>
      {hasText && 'Delete'}
    </Button>
  );
};
