// The user's session and permissions. The printed URL contains a token after the #. The page first removes the token
// from the URL, then exchanges it for a cookie.

import { signal } from '@preact/signals';
import { mayActAs } from '../../src/access/role.ts';
import { get, isLoggedOut, send } from './api.ts';
import type { Role, Session } from './types.ts';

/** null before the login, and while the session is loading. */
export const session = signal<Session | null>(null);
/** The error of the last login attempt. */
export const loginProblem = signal<unknown>(null);

/** Whether the role suffices for a request that changes nothing. */
export const hasRole = (role: Role): boolean => session.value !== null && mayActAs(session.value.role, role);

/** Whether the user may perform an action of this role. A read-only server allows no changes. */
export const may = (role: Role): boolean => hasRole(role) && (role === 'viewer' || !session.value?.read_only);

export async function startSession(): Promise<void> {
  const token = takeToken();
  if (token !== null) await logIn({ token });
  else await loadSession();
}

/** Reads #token=… and removes it, so that it does not stay in the history. Browsers never send the fragment. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}

type Credentials = { readonly token: string } | { readonly user: string; readonly password: string };

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
