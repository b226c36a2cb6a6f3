// Masks known secrets in a job's output as ***, even if they are split across reads. Only a possible beginning of a
// secret is held back; everything else passes immediately.

import { SHORTEST_MASKED_BYTES } from '../../job/isolation/secret-value.ts';
import { writtenForms } from './secret-forms.ts';

const STARS = Buffer.from('***');

/** Returns the spellings of each value in common encodings, including base64 at any offset. */
export function formsOf(values: readonly Buffer[]): Buffer[] {
  const forms = values.flatMap((value) => {
    const text = value.toString().trimEnd();
    const bytes = Buffer.from(text);
    return [...writtenForms(text), ...base64Forms(bytes)];
  });
  const long = [...new Set(forms)].map((form) => Buffer.from(form));
  return long.filter(({ length }) => length >= SHORTEST_MASKED_BYTES).sort((a, b) => b.length - a.length);
}

/** Returns the base64 characters that depend on the value only. */
function base64Forms(value: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), value]);
    const first = Math.ceil((before * 8) / 6);
    const text = padded.toString('base64').slice(first, Math.floor((padded.length * 8) / 6));
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

export class Mask {
  private readonly forms: readonly Form[];
  private held: Buffer = Buffer.alloc(0);

  constructor(forms: readonly Buffer[]) {
    this.forms = forms.map((bytes) => ({ bytes, fallback: fallbackOf(bytes) }));
  }

  /** Returns the masked data that cannot be part of a secret. Does not keep `data`. */
  add(data: Buffer): Buffer {
    const all = Buffer.concat([this.held, data]);
    const passed: Buffer[] = [];
    const next = this.forms.map(({ bytes }) => all.indexOf(bytes));
    let at = 0;
    for (;;) {
      const found = this.first(all, next, at);
      const open = this.beginning(all, at);
      if (found === null || found.at >= open) {
        passed.push(all.subarray(at, open));
        this.held = Buffer.from(all.subarray(open));
        return Buffer.concat(passed);
      }
      passed.push(all.subarray(at, found.at), STARS);
      at = found.at + found.length;
    }
  }

  /** Returns the remaining data at the end of the stream. */
  end(): Buffer {
    const { held } = this;
    this.held = Buffer.alloc(0);
    const found = this.first(held, this.forms.map(({ bytes }) => held.indexOf(bytes)), 0); // biome-ignore format: one line
    if (found === null) return held;
    const rest = new Mask(this.forms.map(({ bytes }) => bytes));
    const after = held.subarray(found.at + found.length);
    return Buffer.concat([held.subarray(0, found.at), STARS, rest.add(after), rest.end()]);
  }

  /** Returns the first match from this position; of several, the longest. `next` caches positions of known matches. */
  private first(all: Buffer, next: number[], at: number): { at: number; length: number } | null {
    let best: { at: number; length: number } | null = null;
    for (const [i, { bytes }] of this.forms.entries()) {
      const known = next[i] ?? -1;
      const place = known >= 0 && known < at ? all.indexOf(bytes, at) : known;
      next[i] = place;
      if (place >= 0 && (best === null || place < best.at)) best = { at: place, length: bytes.length };
    }
    return best;
  }

  /** Returns where a trailing partial match begins, or the total length if there is none. */
  private beginning(all: Buffer, at: number): number {
    return Math.min(...this.forms.map((form) => all.length - openLength(form, all.subarray(at))), all.length);
  }
}

interface Form {
  readonly bytes: Buffer;
  /** Length of the prefix that still matches after a mismatch, by position. */
  readonly fallback: Uint32Array;
}

/** Knuth-Morris-Pratt failure table, which keeps the search linear for repetitive input. */
function fallbackOf(bytes: Buffer): Uint32Array {
  const fallback = new Uint32Array(bytes.length);
  for (let i = 1, length = 0; i < bytes.length; i++) {
    while (length > 0 && bytes[i] !== bytes[length]) length = fallback[length - 1] ?? 0;
    if (bytes[i] === bytes[length]) length++;
    fallback[i] = length;
  }
  return fallback;
}

/** Returns the length of the longest suffix of the text that is a proper prefix of the value. */
function openLength({ bytes, fallback }: Form, text: Buffer): number {
  let length = 0;
  for (let i = Math.max(0, text.length - bytes.length + 1); i < text.length; i++) {
    while (length > 0 && text[i] !== bytes[length]) length = fallback[length - 1] ?? 0;
    if (text[i] === bytes[length]) length++;
  }
  return length;
}
