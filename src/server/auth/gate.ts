// Authenticates requests. A request must use a known host name, come from the server's own pages or from a program with
// a token, and contain valid credentials.

import { tokenName } from '../../access/account-input.ts';
import type { Account, QueueAccounts } from '../../access/accounts.ts';
import { hashOf, sameAs } from '../../access/secrets.ts';
import { QueueError } from '../../errors/errors.ts';
import type { FoundSession } from '../../store/store.ts';
import type { Principal } from '../role.ts';
import { bearerOf } from './bearer.ts';
import { cookieFor, cookieOf, type Entrance, noCookieFor } from './cookie.ts';
import { isLoopback } from './entrance.ts';
import { type Ports, localAccount } from './local-account.ts';
import { LoginPace } from './login-pace.ts';
import { checkOrigin } from './same-origin.ts';

export interface Gate {
  /** Prevents DNS rebinding, so it runs before anything else. */
  checkHost(request: Request): void;
  /** Rejects requests that another site caused a browser to send. */
  checkOrigin(request: Request): void;
  /** Throws not_logged_in. */
  identify(request: Request): Promise<Principal>;
  /** Returns the cookie to set. Throws wrong_login or too_many_logins. */
  login(said: Login, request: Request, peer: string, ports: Ports): Promise<string>;
  /** Returns the cookie to set. */
  logout(request: Request): Promise<string>;
}

export type Login = { readonly token: string } | { readonly user: string; readonly password: string };

/** How requests reach the server. */
export interface Way {
  entranceOf(request: Request): Entrance;
  /** Address of the client. The peer of the connection may be a proxy. */
  addressOf(request: Request, peer: string): string;
}

export interface GateOptions {
  /** Names that the Host header may contain, without a port. */
  readonly hosts: readonly string[];
  /** Grants every right. Null if no authentication is required. */
  readonly ownerToken: string | null;
  readonly accounts: QueueAccounts;
  readonly way: Way;
  readonly pace?: LoginPace;
}

export const OWNER: Principal = { name: 'owner', role: 'admin' };
export const ANYBODY: Principal = { name: 'anybody', role: 'admin' };

/** Minimum interval between recorded uses of a token, so that not every request writes to the store. */
const USE_RECORDED_EVERY_MS = 60_000;
const MOST_TOKENS_REMEMBERED = 1000;

export function makeGate(options: GateOptions): Gate {
  const { hosts, ownerToken, accounts, way, pace = new LoginPace() } = options;
  const known = new Set(hosts.map((name) => name.toLowerCase()));
  const isOpen = ownerToken === null;
  const owner = ownerAccount(ownerToken ?? '');
  const isOwnerToken = sameAs(ownerToken ?? '');
  const lastUse = new Map<string, number>();

  return {
    checkHost(request) {
      const host = request.headers.get('host');
      const isKnown = known.has(hostnameOf(host).toLowerCase());
      if (!isKnown || !(isAddressOf(request.url, host) || known.has(new URL(request.url).hostname)))
        throw new QueueError('wrong_host');
    },
    checkOrigin(request) {
      checkOrigin(request, isOpen || bearerOf(request) !== null);
    },
    async identify(request) {
      if (isOpen) return ANYBODY;
      const bearer = bearerOf(request);
      const principal =
        bearer === null ? await bySession(cookieOf(request, way.entranceOf(request))) : await byBearer(bearer);
      if (!principal) throw new QueueError('not_logged_in');
      return principal;
    },
    async login(said, request, peer, ports) {
      const address = originOf(way.addressOf(request, peer), peer, ports);
      const account = 'token' in said ? await tokenLogin(said.token, address) : await userLogin(said, address);
      if (!account) throw new QueueError('wrong_login');
      const { secret, lifetimeMs } = await accounts.beginSession(account);
      return cookieFor(way.entranceOf(request), secret, lifetimeMs);
    },
    async logout(request) {
      const entrance = way.entranceOf(request);
      const secret = cookieOf(request, entrance);
      if (secret !== null) await accounts.endSession(secret);
      return noCookieFor(entrance);
    },
  };

  async function accountOf(token: string): Promise<Account | null> {
    return !isOpen && isOwnerToken(token) ? owner : accounts.tokenBy(token);
  }

  /** Tokens cannot be guessed, so a valid one is accepted even while other logins are throttled. */
  async function tokenLogin(token: string, address: string): Promise<Account | null> {
    return (await accountOf(token)) ?? pace.attempt(address, '', async () => null);
  }

  function userLogin(said: { user: string; password: string }, address: string): Promise<Account | null> {
    return pace.attempt(address, said.user, () => accounts.userBy(said.user, said.password));
  }

  async function byBearer(token: string): Promise<Principal | null> {
    const account = await accountOf(token);
    if (account?.kind === 'token') recordUse(account.principal);
    return account && { name: account.name, role: account.role };
  }

  async function bySession(secret: string | null): Promise<Principal | null> {
    const session = secret === null ? null : await accounts.sessionBy(secret);
    if (session?.kind === 'owner') return session.principal === owner.principal ? OWNER : null;
    return session && principalOf(session);
  }

  /** Runs in the background and may fail, for example on a read-only store. */
  function recordUse(id: string): void {
    const now = performance.now();
    if (now - (lastUse.get(id) ?? Number.NEGATIVE_INFINITY) < USE_RECORDED_EVERY_MS) return;
    if (lastUse.size >= MOST_TOKENS_REMEMBERED) lastUse.clear();
    lastUse.set(id, now);
    accounts.tokenUsed(id).catch(() => {});
  }
}

/** Users of this machine share its loopback address, so each user counts separately. */
function originOf(address: string, peer: string, ports: Ports): string {
  const account = address === peer && isLoopback(peer.replace('::ffff:', '')) ? localAccount(ports) : null;
  return account === null ? address : `local account ${account}`;
}

/** The principal depends on the token, so that a new token ports all sessions of the old one. */
const ownerAccount = (token: string): Account => ({
  ...OWNER,
  kind: 'owner',
  principal: hashOf(`owner:${token}`).slice(0, 32),
  expiresAt: null,
});

const principalOf = ({ kind, name, role }: FoundSession): Principal => ({
  name: kind === 'token' ? tokenName(name) : name,
  role,
});

/** Whether the URL contains the name of the Host header, as it nearly always does. */
const isAddressOf = (url: string, host: string | null): boolean =>
  url.startsWith(`http://${host}/`) || url.startsWith(`https://${host}/`);

/** Returns the name without the port, or '' if the header is not a host name. */
const hostnameOf = (host: string | null): string =>
  /^(\[[0-9a-f:.]+\]|[^[\]:]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1] ?? '';
