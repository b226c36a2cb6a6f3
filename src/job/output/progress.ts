// A job's reported progress: a whole percentage and a short note, validated here for all sources.

export interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly note: string | null;
}

export const NOTE_MAX_CHARACTERS = 200;

/** Parses '40' or '40%' and a note. Returns null if the number is not from 0 to 100. */
export function progressOf(percent: string, note: string): Progress | null {
  const digits = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(percent)?.[1];
  const value = Math.floor(Number(digits)); // 99.7 is not finished
  if (digits === undefined || Number(digits) > 100) return null;
  return { percent: value, note: noteOf(note) };
}

/** Returns one line without control characters, cut to the maximum length. */
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

/** Content of the file through which `queuectl progress` reports to the worker. */
export const progressText = ({ percent, note }: Progress): string => `${percent} ${note ?? ''}`.trimEnd();

/** Returns null if the text is unreadable. */
export function progressIn(text: string): Progress | null {
  const [, percent = '', note = ''] = /^(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  return progressOf(percent, note);
}
