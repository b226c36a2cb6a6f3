// The streams of a queue: changes, and output of attempts. Closing the queue ends all of them.

import type { Caller, Parameters } from './caller.ts';
import { eventStream, type OpenStream } from './event-stream.ts';
import type { FollowOptions, OutputChunk, QueueEvent, StreamOptions, Topic } from './interface.ts';

export class Streams {
  private readonly caller: Caller;
  private readonly patienceMs: number;
  private readonly closed = new AbortController();

  constructor(caller: Caller, patienceMs: number) {
    this.caller = caller;
    this.patienceMs = patienceMs;
  }

  close(): void {
    this.closed.abort();
  }

  async *events(topics: readonly Topic[], { signal }: StreamOptions = {}): AsyncGenerator<QueueEvent> {
    const open = this.opener('followEvents', { topics: topics.join(',') });
    for await (const { type, data } of eventStream(open, this.rules(signal))) yield { type, data } as QueueEvent;
  }

  /** Ends with its attempt. */
  async *output(id: string, { attempt, from, signal }: FollowOptions = {}): AsyncGenerator<OutputChunk> {
    const open = this.opener('followOutput', { id, attempt, from });
    for await (const { type, data } of eventStream(open, this.rules(signal))) {
      if (type === 'end') return;
      yield data as OutputChunk;
    }
  }

  private opener<Id extends 'followEvents' | 'followOutput'>(id: Id, parameters: Parameters<Id>): OpenStream {
    return (lastEventId, signal) =>
      this.caller.response(id, parameters, undefined, {
        signal,
        ...(lastEventId !== null && { headers: { 'last-event-id': lastEventId } }),
      });
  }

  private rules(signal: AbortSignal | undefined) {
    const { signal: closed } = this.closed;
    return { patienceMs: this.patienceMs, signal: signal ? AbortSignal.any([signal, closed]) : closed };
  }
}
