// Server data as a hook. Data loads when a screen opens, reloads after changes, and is cached so that going back is
// instant. Old data stays visible until new data arrives, so that nothing jumps.

import { signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, isAborted } from './api.ts';
import { changes } from './live.ts';

export interface Resource<T> {
  /** Undefined until loaded. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** True while `data` still belongs to another path. */
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
/** A busy queue changes all the time; reloading lists faster than this has no use. */
const AT_MOST_EVERY_MS = 1000;

/** Grows after a change by this user; visible data then reloads immediately. */
export const ownChanges = signal(0);
export const reloadAll = (): void => {
  ownChanges.value++;
};

type Load = <T>(path: string, signal: AbortSignal) => Promise<T>;

/** Loads nothing while `path` is null. `request` may send several requests. */
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

/** The shell reports an unreachable server once for the page; loaded data stays. */
function failed(before: Loaded, path: string, error: unknown): Loaded {
  const isAway = (error as { status?: number }).status === 0;
  const isKept = isAway && before.path === path && before.data !== undefined && !before.isOld;
  return { ...before, path, error: isKept ? before.error : error, isLoading: false };
}

/** Keeps the previous data visible until newer data arrives. */
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

/** Changes by others reload at most once a second and never during a request; own changes reload immediately. */
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

/** Ignores the initial call of a subscription, which is not a change. */
function afterFirst(source: { subscribe(listener: () => void): () => void }, listener: () => void): () => void {
  let isFirst = true;
  return source.subscribe(() => {
    if (isFirst) isFirst = false;
    else listener();
  });
}

/** Clears the cache, for example before another user logs in. */
export const forgetAll = (): void => kept.clear();
