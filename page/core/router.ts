// The URL holds the state of the page: the screen and its filters. Links are plain links; one listener handles clicks
// on local links without a reload.

import { computed, signal } from '@preact/signals';

interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

const current = (): Address => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const address = signal<Address>(current());
export const path = computed(() => address.value.path);

/** A query parameter; '' if it is absent. */
export const queryOf = (name: string): string => address.value.query.get(name) ?? '';

export function navigate(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    keepScroll();
    history.pushState(null, '', href);
  } else history.replaceState(history.state, '', href);
  const before = address.value.path;
  address.value = current();
  if (before !== address.value.path) scrollTo(0, 0);
}

/** Sets query parameters and keeps the others; '' removes a parameter. */
export function setQuery(parts: Readonly<Record<string, string>>, how: 'push' | 'replace' = 'replace'): void {
  const query = new URLSearchParams(address.value.query);
  for (const [name, value] of Object.entries(parts)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(`${address.value.path}${text && `?${text}`}`, how);
}

/** A URL with a query, without empty parameters. */
export function hrefOf(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return text ? `${path}?${text}` : path;
}

/** The path of an item, such as /jobs/ID, which is the same for its screen and in the API. */
export const itemHref = (list: string, name: string): string => `/${list}/${encodeURIComponent(name)}`;

const keepScroll = (): void => history.replaceState({ ...history.state, scroll: scrollY }, '');

const RESTORE_WITHIN_MS = 3000;

/** Restores the scroll position of a history entry once the page is long enough, unless the user scrolls first. */
function restoreScroll(): void {
  const to = (history.state as { scroll?: number } | null)?.scroll;
  if (to === undefined) return;
  const until = Date.now() + RESTORE_WITHIN_MS;
  const stop = new AbortController();
  for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'popstate'])
    addEventListener(name, () => stop.abort(), { signal: stop.signal });
  const attempt = (): void => {
    if (stop.signal.aborted) return;
    const isThere = document.documentElement.scrollHeight - innerHeight >= to;
    if (isThere) scrollTo(0, to);
    if (isThere || Date.now() > until) stop.abort();
    else requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'; // the browser would scroll before the rows are loaded
  addEventListener('pagehide', keepScroll);
  restoreScroll();
  addEventListener('popstate', () => {
    address.value = current();
    restoreScroll();
  });
  document.addEventListener('click', (event) => {
    const href = ownLinkOf(event);
    if (href === null) return;
    event.preventDefault();
    navigate(href);
  });
}

/** The target of a plain click on a local link. The browser handles downloads and new tabs. */
function ownLinkOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return null;
  return `${link.pathname}${link.search}${link.hash}`;
}

export type Parameters = Readonly<Record<string, string>>;

/** The parameters of a path for a pattern such as /jobs/:id; null if the path does not match. */
export function match(pattern: string, path: string): Parameters | null {
  const [wanted, given] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')];
  if (wanted.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':')) found[part.slice(1)] = decoded(given[i] ?? '');
    else if (part !== given[i]) return null;
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
