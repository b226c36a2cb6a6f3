// The three streams and what they can show. Results go to stdout, everything else to stderr.

import { fstatSync, statSync, writeSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';
import { oneLine } from './render/kit/one-line.ts';
import { type Style, styleFor } from './render/kit/style.ts';

export interface Terminal {
  readonly json: boolean;
  /** Columns of stdout; null when it is not a terminal, so nothing needs to be cut. */
  readonly width: number | null;
  /** Lines of stdout; null when it is not a terminal, so there is no end to them. */
  readonly height: number | null;
  /** Whether a person can be asked: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal, where hints and progress are welcome. */
  readonly isWatched: boolean;
  readonly style: Style;
  /** Whether stdout and stderr go to different files, so that each can be read without the other. */
  readonly areApart: boolean;
  out(text: string | Uint8Array): void;
  /** The stderr of a job, on ours. */
  err(text: string | Uint8Array): void;
  /** A line on stderr, with nothing in it that a terminal would obey. */
  say(line: string): void;
  /** A line on stderr that scripts may pass over: not beside JSON. */
  remark(line: string): void;
  /** A remark for somebody who waits: watched or not, between two states of a progress line. */
  notice(line: string): void;
  /** A dim line on stderr only when a person watches and has not asked for JSON. */
  hint(line: string): void;
  /** Replaces the current line on a watched stderr; '' removes it. */
  progress(line: string): void;
}

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

/** Asking Node would load its stream and network code, which costs a short command more than all of its own work. */
function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev !== statSync('/dev/null').rdev;
  } catch {
    return false; // closed
  }
}

/** The reader of our output has gone: nothing is left to say, and no error to report. */
export class ClosedPipe extends Error {}

/** Synchronous, so that output is whole when the process ends; waits for a slow reader. */
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
