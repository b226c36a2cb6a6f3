// Server-sent events as text. Data is one line of JSON, so nothing that a job says can end an event or begin another.

export const EVENT_STREAM = 'text/event-stream';

/** An event without its end, so that an id can follow. */
export const eventText = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n`;

export const withId = (event: string, id: string): string => `${event}id: ${id}\n\n`;

/** A line that clients pass over. It shows them, and everybody on the way, that the connection lives. */
export const ALIVE = ': alive\n\n';

/** When to come back after a broken connection: not all at the same time. */
export const retryText = (): string => `retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`;

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no', // a proxy that gathers events would make them late
};
