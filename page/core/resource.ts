// Something the server knows, as a hook: loaded when a screen opens, again when something has changed, and kept for a
// while, so that going back shows what was there at once. Old data stays until new data is there: nothing jumps.

import { signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, isAborted } from './api.ts';
import { changes } from './live.ts';

export interface Resource<T> {
  /** undefined: not loaded yet. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** What is there is the answer to another question, until the one to this comes. */
  readonly isOld: boolean;
  reload(): void;
}

interface Loaded {
  readonly path: string | null;
  readonly isOld: boolean;
  readonly data: unknown;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const KEPT = 60;
const kept = new Map<string, unknown>();
/** A store in full swing changes all the time; lists need not follow faster than eyes can. */
const AT_MOST_EVERY_MS = 1000;

/** Grows when a person has changed something here: what is shown is loaded again at once. */
export const ownChanges = signal(0);
export const reloadAll = (): void => {
  ownChanges.value++;
};

type Load = <T>(path: string, signal: AbortSignal) => Promise<T>;

/** `path` null: nothing to load yet. `request` may take several requests for it. */
export function useResource<T>(path: string | null, request: Load = get): Resource<T> {
  const [loaded, setLoaded] = useState<Loaded>(() => startOf(path));
  const lastAt = useRef(0);
  const running = useRef<AbortController | null>(null);

  const load = useCallback(async () => {
    if (path === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    lastAt.current = Date.now();
    try {
      const data = await request<T>(path, controller.signal);
      keep(path, data);
      setLoaded({ path, data, error: null, isLoading: false, isOld: false });
    } catch (error) {
      if (!isAborted(error)) setLoaded((before) => failed(before, path, error));
    } finally {
      if (running.current === controller) running.current = null;
    }
  }, [path, request]);

  useEffect(() => {
    setLoaded((before) => (before.path === path ? before : following(before, path)));
    void load();
    return () => running.current?.abort();
  }, [load, path]);

  useReloadOnChange(load, running, lastAt);
  return { ...(loaded as Loaded & { data: T | undefined }), reload: () => void load() };
}

/** While the server is away the shell shows that, once for the page: what was loaded stays. */
function failed(before: Loaded, path: string, error: unknown): Loaded {
  const isAway = (error as { status?: number }).status === 0;
  const isKept = isAway && before.path === path && before.data !== undefined && !before.isOld;
  return { ...before, path, error: isKept ? before.error : error, isLoading: false };
}

/** What was there stays in sight until there is something newer. */
function following(before: Loaded, path: string | null): Loaded {
  const start = startOf(path);
  return start.data === undefined ? { ...start, data: before.data, isOld: before.data !== undefined } : start;
}

const startOf = (path: string | null): Loaded => ({
  path,
  data: path === null ? undefined : kept.get(path),
  error: null,
  isLoading: path !== null,
  isOld: false,
});

function keep(path: string, data: unknown): void {
  kept.delete(path);
  kept.set(path, data);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

type Ref<T> = { current: T };

/** Changes of others come at most once a second and never on top of a request that still runs; own ones at once. */
function useReloadOnChange(load: () => void, running: Ref<unknown>, lastAt: Ref<number>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      if (timer !== undefined || document.hidden) return;
      const wait = Math.max(0, lastAt.current + AT_MOST_EVERY_MS - Date.now());
      timer = setTimeout(() => {
        timer = undefined;
        if (running.current === null) load();
        else later();
      }, wait);
    };
    const stops = [afterFirst(changes, later), afterFirst(ownChanges, load)];
    document.addEventListener('visibilitychange', later);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', later);
    };
  }, [load, running, lastAt]);
}

/** Subscribing tells the present value at once, which is no change. */
function afterFirst(
  source: { subscribe(listener: () => void): () => void },
  listener: () => void,
): () => void {
  let isFirst = true;
  return source.subscribe(() => {
    if (isFirst) isFirst = false;
    else listener();
  });
}

/** Forgets what was loaded, as when somebody else logs in. */
export const forgetAll = (): void => kept.clear();
