// How far a job says it is: a whole number of per cent and a short note. What it says is bounded here, however it came.

export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly note: string | null;
}

export const NOTE_MAX_CHARACTERS = 200;

/** From '40' or '40%' and a note; null: this is no number from 0 to 100. */
export function progressOf(percent: string, note: string): Progress | null {
  const digits = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(percent)?.[1];
  const value = Math.floor(Number(digits)); // 99.7 is not done yet
  if (digits === undefined || Number(digits) > 100) return null;
  return { percent: value, note: noteOf(note) };
}

/** One line of text without anything that a terminal would obey, cut to its length. */
export function noteOf(text: string): string | null {
  const line = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  const short = line.length <= NOTE_MAX_CHARACTERS ? line : [...line].slice(0, NOTE_MAX_CHARACTERS).join('');
  return short === '' ? null : short;
}

export const isSameProgress = (a: Progress | null, b: Progress | null): boolean =>
  a?.percent === b?.percent && a?.note === b?.note;

/** As it is in the file through which `queuectl progress` tells the worker. */
export const progressText = ({ percent, note }: Progress): string => `${percent} ${note ?? ''}`.trimEnd();

/** null: nothing that can be read. */
export function progressIn(text: string): Progress | null {
  const [, percent = '', note = ''] = /^(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  return progressOf(percent, note);
}
