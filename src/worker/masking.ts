// Keeps the secrets of one attempt out of everything that is kept or shown of it: its output, what it says of itself.

import type { Stream } from '../job/output-stamps.ts';
import type { Receive } from '../process/capture.ts';
import { formsOf, Mask } from '../process/mask.ts';

export class Masking {
  private readonly pass: Receive;
  private readonly token: readonly Buffer[];
  private forms: readonly Buffer[];
  /** A value may be written to two streams at once, so each has its own. */
  private readonly streams = new Map<Stream, Mask>();

  /** `token` lets the job use its queue. It is known from the start, and worthless when the job has ended. */
  constructor(pass: Receive, token?: Buffer) {
    this.pass = pass;
    this.token = token === undefined ? [] : [token];
    this.forms = this.token;
  }

  /** Before the command is started. */
  learn(values: readonly Buffer[]): void {
    this.forms = [...this.token, ...formsOf(values)];
  }

  readonly receive: Receive = (data, stream) => {
    const mask = this.streams.get(stream) ?? new Mask(this.forms);
    this.streams.set(stream, mask);
    this.hand(mask.add(data), stream);
  };

  /** The command has ended: what was held back is no value. */
  end(): void {
    for (const [stream, mask] of this.streams) this.hand(mask.end(), stream);
  }

  text(text: string): string {
    const mask = new Mask(this.forms);
    return Buffer.concat([mask.add(Buffer.from(text)), mask.end()]).toString();
  }

  private hand(data: Buffer, stream: Stream): void {
    if (data.length > 0) this.pass(data, stream);
  }
}
