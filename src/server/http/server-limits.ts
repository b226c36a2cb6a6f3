// Limits that keep one client from affecting the others. docs/reference/http-api.md lists these numbers.

export interface Limits {
  /** Timeout for the headers of a request. */
  readonly headersWithinMs: number;
  /** Timeout for the whole request, including the body. */
  readonly requestWithinMs: number;
  /** Maximum body. Larger inputs need several requests, or `queuectl import`. */
  readonly bodyBytes: number;
  /** Maximum size of an uploaded import file, which is stored on the server's disk. */
  readonly importBytes: number;
  /** Maximum number of concurrent uploads, and the timeout for the next part of one. */
  readonly imports: number;
  readonly importWithinMs: number;
  /** Time an idle connection stays open. */
  readonly keepAliveMs: number;
  /** Closes a connection without progress for this long, although there is data to send. */
  readonly silentWithinMs: number;
  /** At this number, a new connection replaces the longest idle one, or is rejected if none is idle. */
  readonly connections: number;
  /** Maximum number of concurrent heavy requests. */
  readonly heavyAtOnce: number;
  /** Of these, exports and imports, which take long. */
  readonly transfersAtOnce: number;
  /** How many more may wait for a turn, and how long. */
  readonly heavyWaiting: number;
  readonly heavyWaitMs: number;
  /** Maximum number of open event streams. */
  readonly streams: number;
  /** Of these, streams of one account, or of one address without authentication. */
  readonly streamsOfOne: number;
  /** Closes a stream whose client has read nothing for this long, although there are events. */
  readonly unreadWithinMs: number;
  /** Interval of keep-alives on a stream without events. */
  readonly aliveEveryMs: number;
  /** All streams report a store that has not responded for this long. */
  readonly storeWithinMs: number;
}

export const LIMITS: Limits = {
  headersWithinMs: 10_000,
  requestWithinMs: 60_000,
  bodyBytes: 8 * 1024 * 1024,
  importBytes: 16 * 1024 * 1024 * 1024,
  imports: 4,
  importWithinMs: 120_000,
  keepAliveMs: 15_000,
  silentWithinMs: 120_000,
  connections: 2000,
  heavyAtOnce: 4,
  transfersAtOnce: 2,
  heavyWaiting: 100,
  heavyWaitMs: 2000,
  streams: 1000,
  streamsOfOne: 250,
  unreadWithinMs: 30_000,
  aliveEveryMs: 15_000,
  storeWithinMs: 2000,
};
