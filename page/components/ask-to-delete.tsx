// Asks for confirmation before an item is deleted.

import { send } from '../core/api.ts';
import { reloadAll } from '../core/resource.ts';
import { navigate } from '../core/router.ts';
import { sayDone } from '../core/toasts.ts';
import { confirm } from './dialog.tsx';

interface Deletion {
  /** As in 'Delete the secret DB_PASSWORD?'. */
  readonly noun: string;
  readonly name: string;
  readonly path: string;
  readonly consequence: string;
  /** The screen to open after the item of the current one was deleted. */
  readonly next?: string;
}

export const askToDelete = ({ noun, name, path, consequence, next }: Deletion): void =>
  confirm({
    title: `Delete the ${noun} ${name}?`,
    text: <p>{consequence}</p>,
    action: `Delete the ${noun}`,
    isDangerous: true,
    run: async () => {
      await send('DELETE', path);
      sayDone(`${noun} ${name} deleted`);
      if (next) navigate(next);
      reloadAll();
    },
  });
