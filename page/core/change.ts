// Changes by the user.

import { send } from './api.ts';
import { reloadAll } from './resource.ts';
import { sayDone } from './toasts.ts';

/** Sends a change, reports it ('queue mail resumed') and reloads the visible data. */
export async function change<T>(
  done: string | ((answer: T) => string),
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await send<T>(method, path, body);
  sayDone(typeof done === 'string' ? done : done(answer));
  reloadAll();
  return answer;
}
