// Text of others on a terminal: jobs and people write what they like, and none of it may be obeyed.

/** What could move the cursor, change colours or turn the direction of writing: C0, DEL, C1, line and bidi controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const PLAIN = /^[\u0020-\u007e]*$/; // which most lines are

/** One line, whatever it holds: newlines and control characters become visible. */
export const oneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(/\r?\n/g, '⏎').replace(/\t/g, ' ').replace(CONTROL, '\u{fffd}');

/** JSON on one line that means the same, with escapes in their place. */
export const oneLineJson = (value: unknown): string =>
  JSON.stringify(value).replace(CONTROL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
