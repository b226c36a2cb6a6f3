// What is redrawn in place: no flicker, because nothing is cleared before it is written over.

const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/** The text from the top of the screen on; what does not fit below is left out, or the screen would scroll. */
export function frame(text: string, rows: number | undefined): string {
  const lines = text.split('\n').slice(0, rows ? rows - 1 : undefined);
  return `${HOME}${lines.map((line) => `${line}${REST_OF_LINE}\n`).join('')}${REST_OF_SCREEN}`;
}
