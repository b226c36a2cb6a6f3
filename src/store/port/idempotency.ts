// Responses to requests that a client may repeat, by idempotency key. Each request that begins is finished or
// abandoned. If its server was killed before, the request can begin again after a while; the caller then has to find
// out whether the first one took effect.

export interface Idempotency {
  /** Returns null if the caller should perform the request, or else the earlier request with the same key. */
  begin(request: KeyedRequest, abandonedBefore: number): Promise<KnownRequest | null>;
  /** Stores the response. */
  finish(request: Pick<KeyedRequest, 'principal' | 'key'>, response: string): Promise<void>;
  /** Removes a request that was not performed, so that it can be repeated. */
  abandon(request: Pick<KeyedRequest, 'principal' | 'key'>): Promise<void>;
  /** Deletes requests that began before this time. Returns their number. */
  forget(begunBefore: number): Promise<number>;
}

export interface KeyedRequest {
  /** The client that sent the key. Other clients may use the same key. */
  readonly principal: string;
  readonly key: string;
  /** Distinguishes a repeated request from a different one with the same key. */
  readonly requestHash: string;
  readonly createdAt: number;
}

export interface KnownRequest {
  readonly requestHash: string;
  /** Null while the request is being performed. */
  readonly response: string | null;
}
