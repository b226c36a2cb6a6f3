// The text of an output as lines, growing at its end. A line knows the colours that were on when it began, so any of them can
// be drawn alone. What is not text or colour (links, titles, cursor moves) is taken out. A part of the output that is missing
// is a line of its own; the number of a line after it is unknown, so those are counted from there: +1, +2. Pure.

const ESC = '\u001b';
/** Operating system commands (links, titles) up to their end, and other strings that terminals take. */
const STRINGS = new RegExp(`${ESC}[\\]PX^_][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?`, 'g');
/** Control sequences that are not colours, and what is left of others. */
const CONTROLS = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-ln-~]|${ESC}[ -/]*[0-Z\\\\^-~]`, 'g');
const COLOURS = new RegExp(`${ESC}\\[[0-9;:]*m`, 'g');
const RESET = new RegExp(`${ESC}\\[0*m`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;
/** Characters that turn the direction of text, so that a line looks like another. */
const TURNING = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export interface Line {
  /** With its colours. */
  readonly text: string;
  /** The colours that were on when it began. */
  readonly colours: string;
  /** How many bytes are missing here, of a line that stands for them. */
  readonly missing?: number;
}

export class Lines {
  private readonly all: Line[] = [];
  /** Indexes of missing parts; -1: the beginning is missing. */
  private readonly gaps: number[];
  /** The last line, which may go on. */
  private rest = '';
  private colours = '';

  constructor(isFromStart = true) {
    this.gaps = isFromStart ? [] : [-1];
  }

  /** Whether all lines are numbered from the first one of the output on. */
  get isComplete(): boolean {
    return this.gaps.length === 0;
  }

  /** Lines of text. */
  get textCount(): number {
    return this.count - this.gaps.filter((at) => at >= 0).length;
  }

  /** How many bytes are missing, and the index of the first line that stands for them; null: none are. */
  get missing(): { readonly bytes: number; readonly at: number } | null {
    const gaps = this.gaps.filter((at) => at >= 0);
    const [at] = gaps;
    if (at === undefined) return null;
    return { at, bytes: gaps.reduce((sum, gap) => sum + (this.all[gap]?.missing ?? 0), 0) };
  }

  /** Lines of text and missing parts. */
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

  /** Part of the output is not there. */
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

  /** The line with this label, the last one if there are several; -1: none. */
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

  /** The indexes of lines with this text in them, upper or lower case. */
  find(wanted: string): number[] {
    if (wanted === '') return [];
    const found: number[] = [];
    const lower = wanted.toLowerCase();
    for (let i = 0; i < this.count; i++) if (this.plain(i).toLowerCase().includes(lower)) found.push(i);
    return found;
  }
}

/** Of a line that was written over by carriage returns, what was left to see: the last thing that was written. */
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
