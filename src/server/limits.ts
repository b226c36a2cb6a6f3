// How much the server takes on at a time, so that no client can cost the others anything. docs/server.md lists these
// numbers.

export interface Limits {
  /** Until the whole head of a request is there. */
  readonly headersWithinMs: number;
  /** Until the whole request is there, body included. */
  readonly requestWithinMs: number;
  /** A body of jobs may be long; anything longer comes in several requests, or by `queuectl import`. */
  readonly bodyBytes: number;
  /** How long a connection is kept for the next request. */
  readonly keepAliveMs: number;
  /** A connection on which nothing moves for so long, although there is something to send, is cut. */
  readonly silentWithinMs: number;
  /** More are turned away. */
  readonly connections: number;
  /** Heavy requests that are worked on at the same time. */
  readonly heavyAtOnce: number;
  /** How many more may wait for their turn, and how long. */
  readonly heavyWaiting: number;
  readonly heavyWaitMs: number;
  /** Event streams that are open at the same time. */
  readonly streams: number;
  /** A stream whose reader has taken nothing for so long, although there is something to read, is cut. */
  readonly unreadWithinMs: number;
  /** A stream that has nothing to tell says so this often. */
  readonly aliveEveryMs: number;
  /** When the store has not answered for so long, everybody who listens is told. */
  readonly storeWithinMs: number;
}

export const LIMITS: Limits = {
  headersWithinMs: 10_000,
  requestWithinMs: 60_000,
  bodyBytes: 8 * 1024 * 1024,
  keepAliveMs: 15_000,
  silentWithinMs: 120_000,
  connections: 2000,
  heavyAtOnce: 4,
  heavyWaiting: 100,
  heavyWaitMs: 2000,
  streams: 1000,
  unreadWithinMs: 30_000,
  aliveEveryMs: 15_000,
  storeWithinMs: 2000,
};
