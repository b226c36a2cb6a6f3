// Redraws a screen in place, without clearing it first, which would flicker.

const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

/** Lines that do not fit are left out, because the screen would scroll. */
export function frame(text: string, rows: number | undefined): string {
  const lines = text.split('\n').slice(0, rows ? rows - 1 : undefined);
  return `${HOME}${lines.map((line) => `${line}${REST_OF_LINE}\n`).join('')}${REST_OF_SCREEN}`;
}
