// What the server tells by itself, over one stream for the whole page. Parts of the page name the topics they want to hear
// of while they are shown. A stream that is lost is opened again until it is back; meanwhile the page says since when it
// is not live.

import { computed, signal } from '@preact/signals';

export type LiveState = 'connecting' | 'live' | 'lost' | 'paused';
type Handler = (data: unknown) => void;

/** What the stream can bring, by the name of its event. */
const EVENTS = ['stats', 'job', 'gone', 'changed', 'output', 'output_end', 'trouble'] as const;
type EventName = (typeof EVENTS)[number];

export const liveState = signal<LiveState>('connecting');
/** Since when the page is not live; null while it is. */
export const notLiveSince = signal<number | null>(null);
export const isLive = computed(() => liveState.value === 'live');
/** What keeps the server from looking at the store; null: nothing does. */
export const trouble = signal<{ readonly detail: string; readonly hint: string | null } | null>(null);
/** Grows when something in the store has changed: lists load themselves again. */
export const changes = signal(0);

const RETRY_MS = 2000;
/** Several parts of a page change their topics at once when a screen opens. */
const GATHER_MS = 50;

const wanted = new Set<Topic>();
const handlers = new Map<EventName, Set<Handler>>();
let isStarted = false;
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** 'stats', 'jobs', 'job:ID', 'output:ID@BYTE'. A function is asked each time the stream is opened. */
type Topic = string | (() => string);

/** Asks for a topic until the answer is called. One too many is harmless until the stream is opened again. */
export function wantTopic(topic: Topic): () => void {
  wanted.add(topic);
  openSoon(GATHER_MS);
  return () => wanted.delete(topic);
}

/** Hears an event until the answer is called. */
export function onEvent<T>(name: EventName, handler: (data: T) => void): () => void {
  const all = handlers.get(name) ?? new Set();
  handlers.set(name, all.add(handler as Handler));
  return () => all.delete(handler as Handler);
}

export function startLive(): void {
  isStarted = true;
  openSoon(0);
}

export function stopLive(): void {
  isStarted = false;
  close();
}

function close(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

export function togglePause(): void {
  if (liveState.value === 'paused') {
    liveState.value = 'connecting';
    openSoon(0);
    return;
  }
  close();
  leave('paused');
}

function openSoon(delayMs: number): void {
  if (!isStarted || liveState.value === 'paused') return;
  clearTimeout(timer);
  timer = setTimeout(open, delayMs);
}

function open(): void {
  source?.close();
  const topics = [...new Set([...wanted].map((topic) => (typeof topic === 'string' ? topic : topic())))].join(
    ',',
  );
  source = new EventSource(`/api/v1/events?topics=${encodeURIComponent(topics)}`);
  source.onopen = arrive;
  source.onerror = lose;
  for (const name of EVENTS) source.addEventListener(name, (event) => hear(name, event.data));
}

/** What happened while the stream was away is unknown, so everything is loaded again. */
function arrive(): void {
  const wasAway = notLiveSince.value !== null;
  liveState.value = 'live';
  notLiveSince.value = null;
  if (wasAway) changes.value++;
}

/** A browser opens a stream again by itself after a broken connection, but not after an answer it did not like. */
function lose(): void {
  source?.close();
  source = null;
  leave('lost');
  openSoon(RETRY_MS);
}

function leave(state: 'lost' | 'paused'): void {
  liveState.value = state;
  notLiveSince.value ??= Date.now();
}

function hear(name: EventName, text: string): void {
  const data: unknown = text ? JSON.parse(text) : null;
  if (name === 'changed') changes.value++;
  if (name === 'trouble') trouble.value = data as typeof trouble.value;
  for (const handler of handlers.get(name) ?? []) handler(data);
}
