// A command that was started, and what became of it.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';

/** Long enough for a loaded machine, and for a server that a whole test talks to; what takes longer hangs. */
const HANGS_AFTER_MS = 180_000;

export interface Result {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as it came. */
  readonly bytes: Buffer;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Result>;
  /** What it has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export function rejectionOf(code: number, args: readonly string[], result: Result): string {
  const { stdout, stderr } = result;
  const line = args.join(' ').slice(0, 200);
  assert.deepEqual({ code: result.code, stdout }, { code, stdout: '' }, `${line}\n${stderr}`);
  assert.match(stderr, /^error: \S.*\n( hint: \S.*\n)?$/, line);
  assert.doesNotMatch(stderr, /undefined|\[object|\n\s+at /, line);
  return stderr;
}

/** Collects what it writes, and ends it when it hangs. */
export function watch(child: ChildProcess, args: readonly string[]): Started {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const stdout = () => Buffer.concat(out).toString();
  const stderr = () => Buffer.concat(err).toString();
  const ended = new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`hangs: ${args.join(' ')}\n${stdout()}\n${stderr()}`));
    }, HANGS_AFTER_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), bytes: Buffer.concat(out) });
    });
  });
  ended.catch(() => {}); // whoever waits for it hears of it
  return { pid: child.pid ?? 0, ended, stdout, stderr, kill: (signal) => child.kill(signal) };
}
