// Answers to requests that may come a second time, by the key that the client gave them.
// Each request that is begun is finished or abandoned. One that was begun and never finished (its server was killed) can be begun
// again after a while; the one who begins it then has to find out whether it was done.

export interface Idempotency {
  /** null: it is for the caller to do. Else what is known of the one that came before. */
  begin(request: KeyedRequest, abandonedBefore: number): Promise<KnownRequest | null>;
  /** Keeps the answer. */
  finish(request: Pick<KeyedRequest, 'principal' | 'key'>, response: string): Promise<void>;
  /** It was not done: the next one with this key may be. */
  abandon(request: Pick<KeyedRequest, 'principal' | 'key'>): Promise<void>;
  /** Forgets those that were begun before this time; returns how many. */
  forget(begunBefore: number): Promise<number>;
}

export interface KeyedRequest {
  /** A key belongs to the client that sends it. */
  readonly principal: string;
  readonly key: string;
  /** Tells whether it is the same request. */
  readonly requestHash: string;
  readonly createdAt: number;
}

export interface KnownRequest {
  readonly requestHash: string;
  /** null: it is being done. */
  readonly response: string | null;
}
