// How much the server takes on at a time, so that no client can cost the others anything. docs/reference/http-api.md lists these
// numbers.

export interface Limits {
  /** Until the whole head of a request is there. */
  readonly headersWithinMs: number;
  /** Until the whole request is there, body included. */
  readonly requestWithinMs: number;
  /** A body of jobs may be long; anything longer comes in several requests, or by `queuectl import`. */
  readonly bodyBytes: number;
  /** A file that is imported comes in parts, each of which is a body, and waits on the disk of the server. */
  readonly importBytes: number;
  /** Files that are on their way in at the same time, and how long one may wait for its next part. */
  readonly imports: number;
  readonly importWithinMs: number;
  /** How long a connection is kept for the next request. */
  readonly keepAliveMs: number;
  /** A connection on which nothing moves for so long, although there is something to send, is cut. */
  readonly silentWithinMs: number;
  /** Beyond these, a new connection takes the place of the one that has been idle longest; if none is idle, it is refused. */
  readonly connections: number;
  /** Heavy requests that are worked on at the same time. */
  readonly heavyAtOnce: number;
  /** Of these, requests that send a whole queue or take one in, which lasts. */
  readonly transfersAtOnce: number;
  /** How many more may wait for their turn, and how long. */
  readonly heavyWaiting: number;
  readonly heavyWaitMs: number;
  /** Event streams that are open at the same time. */
  readonly streams: number;
  /** Of these, streams of one account, or of one address where nobody logs in. */
  readonly streamsOfOne: number;
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
