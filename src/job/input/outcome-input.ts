// Reads the rules for exit codes and the warning before the timeout, and checks that they are consistent.

import { invalid } from './input-readers.ts';
import { parseDurationMs } from '../../time/duration.ts';
import { type OutcomeRules, rulesText, USUAL_RULES, WARN_SIGNALS, type Warning } from '../outcome-rules.ts';

const MOST_CODE = 255;

/** Fields as given; unset fields are absent. */
export interface OutcomeInput {
  readonly successCodes?: readonly number[];
  readonly noRetryCodes?: readonly number[];
  readonly snoozeCode?: number;
  readonly warnSignal?: WarnSignal;
  readonly warnSeconds?: number;
}

/** Unnamed fields stay; null unsets a field. */
export type OutcomeChange = {
  readonly [K in keyof OutcomeInput]?: Exclude<OutcomeInput[K], undefined> | null;
};

const OUTCOME_FIELDS = [
  'successCodes', 'noRetryCodes', 'snoozeCode', 'warnSignal', 'warnSeconds',
] as const satisfies (keyof OutcomeInput)[]; // biome-ignore format: a list of words

export const isOutcomeField = (field: string): boolean => (OUTCOME_FIELDS as readonly string[]).includes(field);

export interface WarnSignal {
  readonly signal: string;
  /** Null if it is given separately. */
  readonly seconds: number | null;
}

/** Reads a list of numbers, or a text such as '0,3' on the command line. */
export function exitCodes(value: unknown, field: string): readonly number[] {
  const given = typeof value === 'string' ? value.split(',').map(numberIn) : value;
  const isList = Array.isArray(given) && given.every(Number.isInteger);
  if (!isList) throw invalid(`'${field}' must be a list of exit codes`, `for example 0,3`);
  for (const code of given) checkCode(code, field);
  return [...new Set<number>(given)].sort((a, b) => a - b);
}

const numberIn = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN);

export function exitCode(value: unknown, field: string): number {
  if (!Number.isInteger(value)) throw invalid(`'${field}' must be an exit code from 0 to ${MOST_CODE}`);
  checkCode(value as number, field);
  return value as number;
}

function checkCode(code: number, field: string): void {
  if (code < 0 || code > MOST_CODE)
    throw invalid(`'${field}' must be an exit code from 0 to ${MOST_CODE}, not ${code}`);
}

/** Reads 'USR1@60s', or 'USR1' in combination with warn_seconds. */
export function warnSignal(value: unknown, field: string): WarnSignal {
  const [name = '', after, ...more] = typeof value === 'string' ? value.split('@') : [];
  const signal = name.trim().toUpperCase().replace(/^SIG/, '');
  const known = WARN_SIGNALS.find((one) => one === signal);
  if (known === undefined || more.length > 0)
    throw invalid(
      `'${field}' must be a signal that a program can catch and a time, such as USR1@60s, not '${String(value).slice(0, 40)}'`,
      `signals: ${WARN_SIGNALS.join(', ')}`,
    );
  const ms = after === undefined ? null : parseDurationMs(after);
  if (after !== undefined && ms === null)
    throw invalid(`'${field}': '${after.slice(0, 40)}' is not a duration`, 'try USR1@60s or USR1@5m');
  return { signal: known, seconds: ms === null ? null : ms / 1000 };
}

/** Returns null for the default rules. */
export function outcomeRulesOf(said: OutcomeInput, timeoutSeconds: number | null): OutcomeRules | null {
  if (OUTCOME_FIELDS.every((field) => said[field] === undefined)) return null; // as for most jobs
  const rules: OutcomeRules = {
    successCodes: said.successCodes ?? USUAL_RULES.successCodes,
    noRetryCodes: said.noRetryCodes ?? [],
    snoozeCode: said.snoozeCode ?? null,
    warning: warningOf(said),
  };
  if (rulesText(rules) === null) return null;
  if (rules.successCodes.length === 0)
    throw invalid("'success_codes' is empty, so no attempt could succeed", "omit 'success_codes'");
  checkOneMeaning(rules);
  if (rules.warning !== null) checkWarning(rules.warning, timeoutSeconds);
  return rules;
}

/** Returns the rules after a change, or null for the default rules. */
export function changedRules(
  rules: OutcomeRules | null,
  change: OutcomeChange,
  timeoutSeconds: number | null,
): OutcomeRules | null {
  const { warnSeconds, ...said } = { ...saidIn(rules), ...change };
  const given = { ...said, warnSeconds: change.warnSignal === null ? null : warnSeconds };
  const kept = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return outcomeRulesOf(Object.fromEntries(kept), timeoutSeconds);
}

function saidIn(rules: OutcomeRules | null): OutcomeChange {
  if (rules === null) return {};
  const { warning, ...codes } = rules;
  if (warning === null) return codes;
  return { ...codes, warnSignal: { signal: warning.signal, seconds: null }, warnSeconds: warning.seconds };
}

export function inputOfRules(rules: OutcomeRules | null): Readonly<Record<string, unknown>> {
  if (rules === null) return {};
  const { successCodes, noRetryCodes, snoozeCode, warning } = rules;
  return {
    success_codes: successCodes,
    no_retry_codes: noRetryCodes,
    snooze_code: snoozeCode,
    warn_signal: warning?.signal ?? null,
    warn_seconds: warning?.seconds ?? null,
  };
}

function warningOf({ warnSignal: said, warnSeconds }: OutcomeInput): Warning | null {
  if (said === undefined && warnSeconds === undefined) return null;
  if (said === undefined)
    throw invalid("'warn_seconds' requires a 'warn_signal'", "write both as warn_signal 'USR1@60s'");
  const seconds = said.seconds ?? warnSeconds;
  if (seconds === undefined) throw invalid("'warn_signal' lacks the time before the timeout", `try ${said.signal}@60s`);
  return { signal: said.signal, seconds };
}

/** An exit code can have only one meaning. */
function checkOneMeaning({ successCodes, noRetryCodes, snoozeCode }: OutcomeRules): void {
  const meanings: [string, readonly number[]][] = [
    ['success_codes', successCodes],
    ['no_retry_codes', noRetryCodes],
    ['snooze_code', snoozeCode === null ? [] : [snoozeCode]],
  ];
  for (const [i, [name, codes]] of meanings.entries()) {
    for (const [other, others] of meanings.slice(i + 1)) {
      const both = codes.find((code) => others.includes(code));
      if (both !== undefined)
        throw invalid(`exit code ${both} is in ${name} and in ${other}`, 'success_codes defaults to 0');
    }
  }
}

/** A timeout below 0 is not known yet. */
function checkWarning({ signal, seconds }: Warning, timeoutSeconds: number | null): void {
  if (timeoutSeconds !== null && (timeoutSeconds > seconds || timeoutSeconds < 0)) return;
  const needed = timeoutSeconds === null ? 'a timeout' : `a timeout longer than ${timeoutSeconds} s`;
  throw invalid(`'warn_signal' ${signal}@${seconds}s requires ${needed}`, `--timeout ${Math.ceil(seconds * 2)}s`);
}
