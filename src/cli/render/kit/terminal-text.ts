// Makes the output of jobs safe for a terminal. Colours and "erase line" pass. All other sequences are replaced,
// because they could set the clipboard or the title, clear the screen, or make the terminal send input. Sequences may
// be split over chunks.

const [BEL, ESC, ST] = ['\\u0007', '\\u001b', '\\u009c'];
const CSI = `(?:${ESC}\\[|\\u009b)`;
const CSI_BODY = '[\\u0030-\\u003f]*[\\u0020-\\u002f]*';
/** OSC, DCS, SOS, PM and APC, each followed by a text. */
const TEXT = `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${BEL}${ESC}${ST}]*`;

const SEQUENCE = new RegExp(
  [
    `${TEXT}(?:${BEL}|${ESC}\\\\|${ST})`,
    `${CSI}${CSI_BODY}[\\u0040-\\u007e]`,
    `${ESC}[\\u0020-\\u002f]*[\\u0030-\\u007e]`,
    '[\\u0000-\\u0007\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'g',
);
const UNFINISHED = new RegExp(`(?:${TEXT}${ESC}?|${CSI}${CSI_BODY}|${ESC}[\\u0020-\\u002f]*)$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that may pass begin with one
const HARMLESS = /^\u001b\[[0-9;:]*[mK]$/;

const MARK = '\u{fffd}';
/** A longer sequence is treated as text, and its start is replaced. */
const LONGEST = 65_536;

export class TerminalText {
  private readonly write: (text: string) => void;
  private readonly decoder = new TextDecoder();
  /** The start of an incomplete sequence. */
  private held = '';

  constructor(write: (text: string) => void) {
    this.write = write;
  }

  add(chunk: string | Uint8Array): void {
    const text = this.held + (typeof chunk === 'string' ? chunk : this.decoder.decode(chunk, { stream: true }));
    const at = text.search(UNFINISHED);
    const isHeld = at >= 0 && text.length - at <= LONGEST;
    this.held = isHeld ? text.slice(at) : '';
    this.show(isHeld ? text.slice(0, at) : text);
  }

  /** Shows an incomplete sequence as text. */
  end(): void {
    this.show(this.held + this.decoder.decode());
    this.held = '';
  }

  private show(text: string): void {
    const shown = text.replace(SEQUENCE, (sequence) => (HARMLESS.test(sequence) ? sequence : MARK));
    if (shown !== '') this.write(shown);
  }
}
