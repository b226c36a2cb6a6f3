// What a check answers.

export type Verdict = 'ok' | 'warn' | 'fail';

export interface Check {
  readonly name: string;
  readonly status: Verdict;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string | null;
}

type Verdictor = (name: string, message: string, hint?: string | null) => Check;

const verdict =
  (status: Verdict): Verdictor =>
  (name, message, hint = null) => ({ name, status, message, hint });

export const ok = verdict('ok');
export const warn = verdict('warn');
export const fail = verdict('fail');
