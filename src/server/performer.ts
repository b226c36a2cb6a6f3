// A route for somebody who is known: whether that one may have it, then what it does; and what was done is written down. The
// same for a request over HTTP and for the call of a tool.

import { QueueError } from '../errors.ts';
import type { Read } from './read-request.ts';
import { isChange, type Recorder } from './record.ts';
import { mayActAs, type Principal } from './role.ts';
import type { Answer, Asked, Route } from './route.ts';
import type { Turnstile } from './turnstile.ts';

/** What a route is given besides what was said in the request. */
export type Surroundings = Omit<Asked<unknown, unknown, unknown>, keyof Read>;

export interface PerformerOptions {
  readonly heavy: Turnstile;
  readonly recorder: Recorder;
  readonly isReadOnly: boolean;
}

export class Performer {
  private readonly options: PerformerOptions;

  constructor(options: PerformerOptions) {
    this.options = options;
  }

  /** Else not_allowed or serves_read_only. */
  check(route: Route, { name, role }: Principal): void {
    if (!mayActAs(role, route.role)) throw new QueueError('not_allowed', { needed: route.role, name, role });
    if (this.options.isReadOnly && isChange(route)) throw new QueueError('serves_read_only');
  }

  /** Of a request that was checked. */
  async perform(route: Route, surroundings: Partial<Surroundings>, read: Read): Promise<Answer> {
    const { heavy, recorder } = this.options;
    const asked = { ...surroundings, ...read } as unknown as Asked<never, never, never>;
    const handle = (): Promise<Answer> => route.handle(asked);
    const answer = await (route.isHeavy ? heavy.run(handle) : handle());
    await recorder.record(route, asked.principal, read);
    return answer;
  }
}
