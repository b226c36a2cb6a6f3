// Reads a new password: from a hidden prompt, twice, or from the first line of stdin.

import { QueueError } from '../../errors/errors.ts';
import type { Context } from '../command.ts';

const LONGEST_BYTES = 4096;

export async function newPassword({ terminal }: Context, name: string): Promise<string> {
  if (!terminal.canAsk) return firstLineOfStdin();
  const questions = [`Password for ${name}: `, 'Repeat the password: '];
  const [password, again] = await askHidden(questions, () => invalid('missing password', ''));
  if (password !== undefined && password === again) return password;
  throw invalid('the passwords do not match', 'run the command again');
}

async function firstLineOfStdin(): Promise<string> {
  const { readBounded } = await import('../enqueue/bounded-input.ts');
  const data = await readBounded('-', LONGEST_BYTES);
  if (data === null) throw invalid('the password is too long', 'pass the password as the first line of stdin');
  return data.toString('utf8').split(/\r?\n/)[0] ?? '';
}

/** Reads single keys in raw mode, because the terminal would otherwise echo them. */
export async function askHidden(questions: readonly string[], givenUp: () => QueueError): Promise<string[]> {
  const { stdin, stderr } = process;
  const lines: string[] = [];
  let line: string[] = [];
  stdin.setRawMode(true).setEncoding('utf8');
  try {
    stderr.write(questions[0] ?? '');
    for await (const keys of stdin)
      for (const key of keys as string) {
        if (key === INTERRUPT || key === END) throw givenUp();
        if (isReturn(key)) {
          lines.push(line.join(''));
          line = [];
          stderr.write(`\n${questions[lines.length] ?? ''}`);
          if (lines.length === questions.length) return lines;
        } else if (isErase(key)) line.pop();
        else line.push(key);
      }
    return lines;
  } finally {
    stdin.setRawMode(false);
  }
}

const [INTERRUPT, END] = ['\u0003', '\u0004'];
const isReturn = (key: string): boolean => key === '\r' || key === '\n';
const isErase = (key: string): boolean => key === '\u007f' || key === '\b';

const invalid = (problem: string, hint: string): QueueError => new QueueError('invalid_account', { problem, hint });
