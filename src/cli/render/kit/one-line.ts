// Makes text of jobs and users safe for a terminal, which must not interpret its control characters.

/** Characters that move the cursor, change colours or the writing direction: C0, DEL, C1, line and bidi controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const PLAIN = /^[\u0020-\u007e]*$/; // true of most lines

/** Returns one line in which newlines and control characters are visible. */
export const oneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(/\r?\n/g, '⏎').replace(/\t/g, ' ').replace(CONTROL, '\u{fffd}');

/** Returns JSON on one line, with control characters escaped. */
export const oneLineJson = (value: unknown): string =>
  JSON.stringify(value).replace(CONTROL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
