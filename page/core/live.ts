// Events of the server, over one stream that all tabs share (live-hub.ts). Parts of the page name the topics they want to
// hear of while they are shown. A stream that is lost is opened again until it is back; meanwhile the page shows since when
// it is not live.

import { computed, signal } from '@preact/signals';
import { type EVENTS, LiveHub, type Message, type Wish } from './live-hub.ts';

export type LiveState = 'connecting' | 'live' | 'lost' | 'paused';
type Handler = (data: unknown) => void;

type EventName = (typeof EVENTS)[number];

export const liveState = signal<LiveState>('connecting');
/** Since when the page is not live; null while it is. */
export const notLiveSince = signal<number | null>(null);
export const isLive = computed(() => liveState.value === 'live');
/** What keeps the server from looking at the store; null: nothing does. */
export const trouble = signal<{ readonly detail: string; readonly hint: string | null } | null>(null);
/** Grows when something in the store has changed: lists load themselves again. */
export const changes = signal(0);

/** Several parts of a page change their topics at once when a screen opens. */
const GATHER_MS = 50;
/** A tab whose wish is not confirmed within this time is not live. */
const CONFIRM_MS = 1500;

const wanted = new Set<Topic>();
const handlers = new Map<EventName, Set<Handler>>();
let isStarted = false;
let hub: MessagePort | null = null;
let wishes = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let confirmTimer: ReturnType<typeof setTimeout> | undefined;

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

/** A page that a browser puts aside needs no stream; it may be shown again. */
addEventListener('pagehide', () => close());
addEventListener('pageshow', ({ persisted }) => persisted && openSoon(0));

function close(): void {
  clearTimeout(timer);
  clearTimeout(confirmTimer);
  hub?.postMessage({ number: ++wishes, topics: [] } satisfies Wish);
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
  hub.postMessage({ number: ++wishes, topics } satisfies Wish);
  clearTimeout(confirmTimer);
  confirmTimer = setTimeout(() => {
    if (liveState.value === 'live') liveState.value = 'connecting';
  }, CONFIRM_MS);
}

/** Without shared workers, or if its script cannot be loaded, the tab has a stream of its own. */
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
    if (data.kind === 'event') hear(data.name as EventName, data.data);
    else if (data.number === wishes) (data.state === 'live' ? arrive : lose)();
  };
  return port;
}

/** What happened while the stream was away is unknown, so everything is loaded again. */
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

function hear(name: EventName, text: string): void {
  const data: unknown = text ? JSON.parse(text) : null;
  if (name === 'changed') changes.value++;
  if (name === 'trouble') trouble.value = data as typeof trouble.value;
  for (const handler of handlers.get(name) ?? []) handler(data);
}
