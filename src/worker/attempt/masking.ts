// Masks the secrets of one attempt in its output and its reports.

import { isDeepStrictEqual } from 'node:util';
import type { Stream } from '../../job/output/output-stamps.ts';
import type { Receive } from '../../process/output/capture.ts';
import { formsOf, Mask } from '../../process/output/mask.ts';

export class Masking {
  private readonly pass: Receive;
  private readonly token: readonly Buffer[];
  private forms: readonly Buffer[];
  /** One mask per stream, because a value may be interleaved across two streams. */
  private readonly streams = new Map<Stream, Mask>();

  /** `token` gives access to the queue. It exists before the start and expires when the job ends. */
  constructor(pass: Receive, token?: Buffer) {
    this.pass = pass;
    this.token = token === undefined ? [] : [token];
    this.forms = this.token;
  }

  /** Called before the command starts. */
  learn(values: readonly Buffer[]): void {
    this.forms = [...this.token, ...formsOf(values)];
  }

  readonly receive: Receive = (data, stream) => {
    const mask = this.streams.get(stream) ?? new Mask(this.forms);
    this.streams.set(stream, mask);
    this.hand(mask.add(data), stream);
  };

  /** Called after the exit: text held back as a possible secret is none. */
  end(): void {
    for (const [stream, mask] of this.streams) this.hand(mask.end(), stream);
  }

  text(text: string): string {
    const mask = new Mask(this.forms);
    return Buffer.concat([mask.add(Buffer.from(text)), mask.end()]).toString();
  }

  /** Strings in JSON may be escaped in many ways, so decoded strings are checked as well. */
  json(text: string): string {
    const plain = this.text(text);
    try {
      const [before, after] = [JSON.parse(plain), JSON.parse(plain, (_, value) => this.maskedValue(value))];
      return isDeepStrictEqual(before, after) ? plain : JSON.stringify(after);
    } catch {
      return plain; // invalid JSON, rejected later
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
