// Output as lines that grow at the end. Each line stores its initial colours, so that it can be drawn alone. Other
// escape sequences (links, titles, cursor moves) are removed. A missing part is a separate line; numbers after it are
// relative (+1, +2), because the absolute numbers are unknown. Pure.

const ESC = '\u001b';
/** Operating system commands (links, titles) and other terminal strings. */
const STRINGS = new RegExp(`${ESC}[\\]PX^_][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?`, 'g');
/** Control sequences other than colours, and incomplete ones. */
const CONTROLS = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-ln-~]|${ESC}[ -/]*[0-Z\\\\^-~]`, 'g');
const COLOURS = new RegExp(`${ESC}\\[[0-9;:]*m`, 'g');
const RESET = new RegExp(`${ESC}\\[0*m`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;
/** Bidirectional characters, which can disguise a line. */
const TURNING = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export interface Line {
  readonly text: string;
  readonly colours: string;
  /** The number of missing bytes if the line marks a missing part. */
  readonly missing?: number;
}

export class Lines {
  private readonly all: Line[] = [];
  /** Indexes of missing parts; -1 if the beginning is missing. */
  private readonly gaps: number[];
  /** The last line, which may still grow. */
  private rest = '';
  private colours = '';

  constructor(isFromStart = true) {
    this.gaps = isFromStart ? [] : [-1];
  }

  /** Whether all line numbers are absolute. */
  get isComplete(): boolean {
    return this.gaps.length === 0;
  }

  get textCount(): number {
    return this.count - this.gaps.filter((at) => at >= 0).length;
  }

  /** The number of missing bytes and the index of the first missing part; null if nothing is missing. */
  get missing(): { readonly bytes: number; readonly at: number } | null {
    const gaps = this.gaps.filter((at) => at >= 0);
    const [at] = gaps;
    if (at === undefined) return null;
    return { at, bytes: gaps.reduce((sum, gap) => sum + (this.all[gap]?.missing ?? 0), 0) };
  }

  /** The number of lines including missing parts. */
  get count(): number {
    return this.all.length + (this.rest === '' ? 0 : 1);
  }

  at(index: number): Line {
    return this.all[index] ?? { text: cleaned(this.rest), colours: this.colours };
  }

  plain(index: number): string {
    return this.at(index).text.replace(COLOURS, '');
  }

  add(text: string): void {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop() ?? '';
    for (const part of parts) this.end(cleaned(part));
  }

  /** Marks a missing part. */
  skip(missing: number): void {
    if (this.rest !== '') this.add('\n');
    this.gaps.push(this.all.length);
    this.all.push({ text: '', colours: '', missing });
    this.colours = '';
  }

  /** '12', or '+3' for the third line after a missing part. */
  label(index: number): string {
    const gap = this.gaps.findLast((at) => at < index);
    return gap === undefined ? String(index + 1) : `+${index - gap}`;
  }

  /** The index of the last line with this label; -1 if there is none. */
  indexOf(label: string): number {
    const number = Number(/^\+?(\d+)$/.exec(label)?.[1] ?? 0);
    const index = label.startsWith('+') ? (this.gaps.at(-1) ?? Number.NaN) + number : number - 1;
    const isText = index >= 0 && index < this.count && this.at(index).missing === undefined;
    return isText && this.label(index) === label ? index : -1;
  }

  private end(text: string): void {
    this.all.push({ text, colours: this.colours });
    const codes = text.match(COLOURS);
    if (codes) this.colours = stillOn([this.colours, ...codes].join(''));
  }

  /** The indexes of lines that contain this text, ignoring case. */
  find(wanted: string): number[] {
    if (wanted === '') return [];
    const found: number[] = [];
    const lower = wanted.toLowerCase();
    for (let i = 0; i < this.count; i++) if (this.plain(i).toLowerCase().includes(lower)) found.push(i);
    return found;
  }
}

/** Keeps the text after the last carriage return, which a terminal would show. */
function cleaned(line: string): string {
  const seen = line.replace(/\r+$/, '');
  const last = seen.slice(seen.lastIndexOf('\r') + 1);
  return last.replace(STRINGS, '').replace(CONTROLS, '').replace(UNSEEN, '').replace(TURNING, '\ufffd');
}

/** Codes after the last reset. */
function stillOn(codes: string): string {
  const all = codes.match(COLOURS) ?? [];
  const reset = all.findLastIndex((code) => RESET.test(code));
  return all
    .slice(reset + 1)
    .slice(-8)
    .join('');
}
