// Per-job rules for exit codes: which ones mean success, which make a retry pointless, and which one snoozes the job.
// Pure; plan() in lifecycle.ts acts on the result.

import type { Ending } from './job.ts';
import { jsonIn } from './stored-json.ts';

export interface OutcomeRules {
  /** Only these count as success. */
  readonly successCodes: readonly number[];
  /** The job becomes dead without further retries. */
  readonly noRetryCodes: readonly number[];
  /** The job is run again later. */
  readonly snoozeCode: number | null;
  /** Sent to the job's process group this many seconds before its timeout. */
  readonly warning: Warning | null;
}

export interface Warning {
  readonly signal: string;
  readonly seconds: number;
}

export const USUAL_RULES: OutcomeRules = {
  successCodes: [0],
  noRetryCodes: [],
  snoozeCode: null,
  warning: null,
};

/** Signals for the timeout warning, limited to those that a program can catch. */
export const WARN_SIGNALS = [
  'HUP', 'INT', 'QUIT', 'USR1', 'USR2', 'TERM', 'ALRM', 'CONT', 'WINCH', 'URG',
] as const; // biome-ignore format: a list of words

/** Default delay of a snooze. */
const USUAL_SNOOZE_SECONDS = 60;
/** Longer snoozes are shortened to this. */
export const LONGEST_SNOOZE_SECONDS = 30 * 86_400;

/** Applies the rules to an ending. Only an exit by the command itself can be reinterpreted. */
export function judged(ending: Ending, rules: OutcomeRules | null): Ending {
  if (rules === null || ending.exitCode === null) return ending;
  if (ending.outcome !== 'completed' && ending.outcome !== 'failed') return ending;
  if (rules.successCodes.includes(ending.exitCode)) return { ...ending, outcome: 'completed', error: null };
  if (ending.exitCode === rules.snoozeCode) return snoozed(ending);
  return { ...ending, outcome: 'failed', error: ending.error ?? `exit code ${ending.exitCode}` };
}

const snoozed = (ending: Ending): Ending => ({
  ...ending,
  outcome: 'snoozed',
  error: `snoozed for ${snoozeSeconds(ending)} s`,
});

export function snoozeSeconds({ retryAfterSeconds }: Pick<Ending, 'retryAfterSeconds'>): number {
  return Math.min(retryAfterSeconds ?? USUAL_SNOOZE_SECONDS, LONGEST_SNOOZE_SECONDS);
}

export const isPointlessToRetry = ({ exitCode }: Pick<Ending, 'exitCode'>, rules: OutcomeRules | null): boolean =>
  rules !== null && exitCode !== null && rules.noRetryCodes.includes(exitCode);

/** JSON in the column `outcome_rules`. */
interface StoredRules {
  readonly success_codes?: readonly number[];
  readonly no_retry_codes?: readonly number[];
  readonly snooze_code?: number;
  readonly warn_signal?: string;
  readonly warn_seconds?: number;
}

/** Returns null for the default rules. */
export function rulesText(rules: OutcomeRules | null): string | null {
  if (rules === null) return null;
  const { successCodes, noRetryCodes, snoozeCode, warning } = rules;
  const stored: StoredRules = {
    ...(String(successCodes) !== String(USUAL_RULES.successCodes) && { success_codes: successCodes }),
    ...(noRetryCodes.length > 0 && { no_retry_codes: noRetryCodes }),
    ...(snoozeCode !== null && { snooze_code: snoozeCode }),
    ...(warning !== null && { warn_signal: warning.signal, warn_seconds: warning.seconds }),
  };
  return Object.keys(stored).length === 0 ? null : JSON.stringify(stored);
}

/** Ignores unreadable values, which can only come from manual edits of the database. */
export function rulesOf(text: unknown): OutcomeRules | null {
  if (text === null || text === undefined) return null;
  const stored = jsonIn(text) as StoredRules | null | undefined;
  if (typeof stored !== 'object' || stored === null) return null;
  const { warn_signal: signal, warn_seconds: seconds } = stored;
  return {
    successCodes: codesIn(stored.success_codes) ?? USUAL_RULES.successCodes,
    noRetryCodes: codesIn(stored.no_retry_codes) ?? [],
    snoozeCode: typeof stored.snooze_code === 'number' ? stored.snooze_code : null,
    warning: isSignal(signal) && typeof seconds === 'number' ? { signal, seconds } : null,
  };
}

const codesIn = (value: unknown): readonly number[] | null =>
  Array.isArray(value) && value.every((code) => typeof code === 'number') ? value : null;

const isSignal = (value: unknown): value is string => (WARN_SIGNALS as readonly unknown[]).includes(value);
