// Who looks at the page, and what that one may do. The printed address carries a token behind the #: it is handed to the
// server for a cookie, and removed from the address before anything else happens.

import { computed, signal } from '@preact/signals';
import type { Role } from '../../src/server/role.ts';
import { get, isLoggedOut, send } from './api.ts';

export interface Session {
  readonly name: string;
  readonly role: Role;
  readonly read_only: boolean;
  readonly version: string;
  readonly database: string;
}

/** null: nobody has logged in, or it is not known yet. */
export const session = signal<Session | null>(null);
/** Why the last attempt to log in failed. */
export const loginProblem = signal<unknown>(null);

const RANKS: readonly Role[] = ['viewer', 'enqueuer', 'operator', 'admin'];
const rank = computed(() => (session.value ? RANKS.indexOf(session.value.role) : -1));

/** Enough to ask what changes nothing, also of a server that is read-only. */
export const hasRole = (role: Role): boolean => rank.value >= RANKS.indexOf(role);

/** Looking is allowed to every role; changing something never on a server that is read-only. */
export const may = (role: Role): boolean => hasRole(role) && (role === 'viewer' || !session.value?.read_only);

export async function startSession(): Promise<void> {
  const token = takeToken();
  if (token !== null) await logIn({ token });
  else await loadSession();
}

/** From #token=…, which no server ever sees and which must not stay in the history either. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}

export type Credentials = { readonly token: string } | { readonly user: string; readonly password: string };

export async function logIn(credentials: Credentials): Promise<void> {
  try {
    await send('POST', '/session', credentials);
    loginProblem.value = null;
  } catch (error) {
    loginProblem.value = error;
    isLoggedOut.value = true;
    return;
  }
  await loadSession();
}

export async function logOut(): Promise<void> {
  await send('DELETE', '/session');
  session.value = null;
  isLoggedOut.value = true;
}

async function loadSession(): Promise<void> {
  try {
    session.value = await get<Session>('/session');
    isLoggedOut.value = false;
  } catch (error) {
    if ((error as { status?: number }).status !== 401) loginProblem.value = error;
    isLoggedOut.value = true;
  }
}
