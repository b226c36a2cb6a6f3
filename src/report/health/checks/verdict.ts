// The result of a check.

export type Verdict = 'ok' | 'warn' | 'fail';

export interface Check {
  readonly name: string;
  readonly status: Verdict;
  readonly message: string;
  /** Advice, if any. */
  readonly hint: string | null;
  /** The command that helps, as a user would type it; null if there is none. */
  readonly command: string | null;
}

type Verdictor = (name: string, message: string, hint?: string | null, command?: string | null) => Check;

const verdict =
  (status: Verdict): Verdictor =>
  (name, message, hint = null, command = null) => ({ name, status, message, hint, command });

export const ok = verdict('ok');
export const warn = verdict('warn');
export const fail = verdict('fail');
