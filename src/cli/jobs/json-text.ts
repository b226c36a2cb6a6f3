// Writes a long JSON string in pieces, from bytes that may be split inside a character.

import { StringDecoder } from 'node:string_decoder';

export class JsonText {
  private readonly out: (text: string) => void;
  private decoder = new StringDecoder();

  constructor(out: (text: string) => void) {
    this.out = out;
  }

  raw(text: string): void {
    this.out(text);
  }

  begin(): void {
    this.decoder = new StringDecoder();
    this.out('"');
  }

  add(chunk: string | Uint8Array): void {
    this.out(escaped(typeof chunk === 'string' ? this.decoder.end() + chunk : this.decoder.write(Buffer.from(chunk))));
  }

  end(): void {
    this.out(`${escaped(this.decoder.end())}"`);
  }
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
