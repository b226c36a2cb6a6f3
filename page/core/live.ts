// Server events over the stream that all tabs share (live-hub.ts). Components subscribe to topics while they are
// mounted. A lost stream reconnects; meanwhile the page shows since when it is not live.

import { computed, signal } from '@preact/signals';
import { type EVENTS, LiveHub, type Message, type Subscription } from './live-hub.ts';

type LiveState = 'connecting' | 'live' | 'lost' | 'paused';
type Handler = (data: unknown) => void;

type EventName = (typeof EVENTS)[number];

export const liveState = signal<LiveState>('connecting');
/** When the page stopped being live; null while it is live. */
export const notLiveSince = signal<number | null>(null);
export const isLive = computed(() => liveState.value === 'live');
/** Why the server cannot read the database; null if it can. */
export const trouble = signal<{ readonly detail: string; readonly hint: string | null } | null>(null);
/** Grows when the database has changed; lists then reload. */
export const changes = signal(0);

/** Opening a screen changes several topics at once. */
const GATHER_MS = 50;
/** A tab without a confirmation within this time is not live. */
const CONFIRM_MS = 1500;

const wanted = new Set<Topic>();
const handlers = new Map<EventName, Set<Handler>>();
let isStarted = false;
let hub: MessagePort | null = null;
let subscriptions = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let confirmTimer: ReturnType<typeof setTimeout> | undefined;

/** 'stats', 'jobs', 'job:ID' or 'output:ID@BYTE'. A function is called each time the stream opens. */
type Topic = string | (() => string);

/**
 * Subscribes to a topic until the returned function is called. A surplus topic is harmless until the stream reopens.
 */
export function wantTopic(topic: Topic): () => void {
  wanted.add(topic);
  openSoon(GATHER_MS);
  return () => wanted.delete(topic);
}

/** Listens to an event until the returned function is called. */
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

/** A page in the back-forward cache needs no stream until it is shown again. */
addEventListener('pagehide', () => close());
addEventListener('pageshow', ({ persisted }) => persisted && openSoon(0));

function close(): void {
  clearTimeout(timer);
  clearTimeout(confirmTimer);
  hub?.postMessage({ number: ++subscriptions, topics: [] } satisfies Subscription);
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
  hub ??= connect();
  const topics = [...new Set([...wanted].map((topic) => (typeof topic === 'string' ? topic : topic())))];
  hub.postMessage({ number: ++subscriptions, topics } satisfies Subscription);
  clearTimeout(confirmTimer);
  confirmTimer = setTimeout(() => {
    if (liveState.value === 'live') liveState.value = 'connecting';
  }, CONFIRM_MS);
}

/** Without shared workers, or if the worker cannot be loaded, the tab opens its own stream. */
function connect(): MessagePort {
  const script = document.querySelector<HTMLMetaElement>('meta[name=live-worker]')?.content;
  if (!script || !('SharedWorker' in globalThis)) return listenTo(ownHub());
  const worker = new SharedWorker(script, { type: 'module' });
  worker.onerror = () => {
    hub = listenTo(ownHub());
    openSoon(0);
  };
  return listenTo(worker.port);
}

function ownHub(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  new LiveHub().add(port2);
  return port1;
}

function listenTo(port: MessagePort): MessagePort {
  port.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!isStarted || liveState.peek() === 'paused') return;
    if (data.kind === 'event') receive(data.name as EventName, data.data);
    else if (data.number === subscriptions) (data.state === 'live' ? arrive : lose)();
  };
  return port;
}

/** Events were missed while the stream was lost, so everything is reloaded. */
function arrive(): void {
  const wasAway = notLiveSince.value !== null;
  clearTimeout(confirmTimer);
  liveState.value = 'live';
  notLiveSince.value = null;
  if (wasAway) changes.value++;
}

function lose(): void {
  clearTimeout(confirmTimer);
  leave('lost');
}

function leave(state: 'lost' | 'paused'): void {
  liveState.value = state;
  notLiveSince.value ??= Date.now();
}

function receive(name: EventName, text: string): void {
  const data: unknown = text ? JSON.parse(text) : null;
  if (name === 'changed') changes.value++;
  if (name === 'trouble') trouble.value = data as typeof trouble.value;
  for (const handler of handlers.get(name) ?? []) handler(data);
}
