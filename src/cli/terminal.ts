// The output streams and their capabilities. Results go to stdout, everything else to stderr.

import { fstatSync, statSync, writeSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';
import { oneLine } from './render/kit/one-line.ts';
import { type Style, styleFor } from './render/kit/style.ts';

export interface Terminal {
  readonly json: boolean;
  /** Columns of stdout, or null if it is not a terminal and nothing has to be cut. */
  readonly width: number | null;
  /** Lines of stdout, or null if it is not a terminal. */
  readonly height: number | null;
  /** Whether prompts are possible: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal and shows hints and progress. */
  readonly isWatched: boolean;
  readonly style: Style;
  /** Whether stdout and stderr go to different files. */
  readonly areApart: boolean;
  out(text: string | Uint8Array): void;
  /** Writes the stderr of a job to stderr. */
  err(text: string | Uint8Array): void;
  /** Prints a line on stderr, with control characters replaced. */
  say(line: string): void;
  /** Prints a line on stderr, but not with --json. */
  remark(line: string): void;
  /** Prints a remark, clearing the progress line first. */
  notice(line: string): void;
  /** Prints a dim line if stderr is a terminal, but not with --json. */
  hint(line: string): void;
  /** Replaces the current line if stderr is a terminal; '' clears it. */
  progress(line: string): void;
}

/** The part of a terminal that renderers need. */
export type Screen = Pick<Terminal, 'style' | 'width'>;

const CLEAR_LINE = '\r\u001b[2K';

export function terminalFor(json: boolean, environment: NodeJS.ProcessEnv): Terminal {
  const isShown = isTerminal(1);
  const isWatched = isTerminal(2);
  const say = (line: string): void => write(2, `${oneLine(line)}\n`);
  const style = styleFor(!json && isShown && !environment.NO_COLOR && environment.TERM !== 'dumb');
  return {
    json,
    width: isShown ? process.stdout.columns || Number(environment.COLUMNS) || 80 : null,
    height: isShown ? process.stdout.rows || Number(environment.LINES) || 24 : null,
    canAsk: isWatched && isTerminal(0),
    isWatched,
    style,
    areApart: areApart(),
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    say,
    remark: (line) => {
      if (!json) say(line);
    },
    notice: (line) => {
      if (json) return;
      if (isWatched) write(2, CLEAR_LINE);
      say(line);
    },
    hint: (line) => {
      if (isWatched && !json) write(2, `${style.dim(oneLine(line))}\n`);
    },
    progress: (line) => {
      if (isWatched) write(2, CLEAR_LINE + line);
    },
  };
}

function areApart(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev !== err.dev || out.ino !== err.ino;
  } catch {
    return false; // one is closed
  }
}

/** Node's isatty() would load stream and network code, which takes longer than the rest of a short command. */
function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev;
  } catch {
    return false; // closed
  }
}

/** The reader of stdout is gone. This is not reported as an error. */
export class ClosedPipe extends Error {}

/** Writes synchronously, so that the output is complete when the process exits. Waits for a slow reader. */
function write(fd: number, text: string | Uint8Array): void {
  let rest = typeof text === 'string' ? Buffer.from(text) : text;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') throw new ClosedPipe();
      if (code !== 'EAGAIN') throw new QueueError('check_failed', { problem: unwritten(error), hint: '' });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const unwritten = (error: unknown): string => `cannot write the output: ${(error as Error).message}`;
