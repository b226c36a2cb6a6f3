// Formats server-sent events. Data is one line of JSON, so the output of a job cannot forge events.

export const EVENT_STREAM = 'text/event-stream';

/** Returns an event without its end, so that an ID can follow. */
export const eventText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n`;

export const withId = (event: string, id: string): string => `${event}id: ${id}\n\n`;

/** Keep-alive for clients and proxies: a comment line, which clients ignore. */
export const ALIVE = ': alive\n\n';

/** Delay before a client reconnects, randomized so that not all do so at once. */
export const retryText = (): string => `retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`;

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no', // a buffering proxy would delay events
};
