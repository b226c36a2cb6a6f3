// Keeps the secrets of one attempt out of everything that is kept or shown of it: its output, what it says of itself.

import { isDeepStrictEqual } from 'node:util';
import type { Stream } from '../../job/output/output-stamps.ts';
import type { Receive } from '../../process/output/capture.ts';
import { formsOf, Mask } from '../../process/output/mask.ts';

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

  /** A JSON text: a string in it may be written with any escapes, so its strings are looked at as well. */
  json(text: string): string {
    const plain = this.text(text);
    try {
      const [before, after] = [JSON.parse(plain), JSON.parse(plain, (_, value) => this.maskedValue(value))];
      return isDeepStrictEqual(before, after) ? plain : JSON.stringify(after);
    } catch {
      return plain; // no JSON, which is refused later
    }
  }

  private maskedValue(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.text(key), entry]));
  }

  private hand(data: Buffer, stream: Stream): void {
    if (data.length > 0) this.pass(data, stream);
  }
}
