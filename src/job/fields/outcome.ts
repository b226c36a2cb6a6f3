// Meaning of exit codes, and the warning before the timeout. One column stores all of it.

import { exitCode, exitCodes, warnSignal } from '../input/outcome-input.ts';
import type { Job } from '../job.ts';
import { type OutcomeRules, rulesOf, rulesText, USUAL_RULES } from '../outcome-rules.ts';
import { type FieldTable, text } from './field.ts';
import { either, INTEGER, listOf, NUMBER, orNull, TEXT } from './shape.ts';
import { MAX_SECONDS, real } from './values.ts';

const CODES = { shape: either(listOf(INTEGER), TEXT), read: exitCodes };

/** JSON shows defaults too, so that readers need not know them. */
const rulesIn = ({ outcomeRules }: Job): OutcomeRules => outcomeRules ?? USUAL_RULES;

export const OUTCOME = {
  outcomeRules: {
    stored: {
      columns: { outcome_rules: text(({ outcomeRules }) => rulesText(outcomeRules)) },
      read: (row) => rulesOf(row.outcome_rules),
    },
  },
  successCodes: {
    input: {
      success_codes: {
        ...CODES,
        help: 'exit codes that count as success, for example 0,3 (default: 0)',
        flag: { kind: 'text', topic: 'outcome', value: 'LIST' },
      },
    },
    edit: 'part',
    json: { shape: listOf(INTEGER), of: (job) => rulesIn(job).successCodes },
  },
  noRetryCodes: {
    input: {
      no_retry_codes: {
        ...CODES,
        help: 'exit codes that make the job dead without a retry',
        flag: { kind: 'text', topic: 'outcome', value: 'LIST' },
      },
    },
    edit: 'part',
    json: { shape: listOf(INTEGER), of: (job) => rulesIn(job).noRetryCodes },
  },
  snoozeCode: {
    input: {
      snooze_code: {
        shape: INTEGER,
        read: exitCode,
        help: 'exit code that snoozes the job: it runs again later, without using a retry',
        flag: { kind: 'integer', topic: 'outcome', value: 'N' },
      },
    },
    edit: 'part',
    json: { shape: orNull(INTEGER), of: (job) => rulesIn(job).snoozeCode },
  },
  warnSignal: {
    input: {
      warn_signal: {
        shape: TEXT,
        read: warnSignal,
        help: 'send this signal before the timeout, for example USR1@60s',
        flag: { kind: 'text', topic: 'outcome', value: 'SIG@TIME' },
      },
    },
    edit: 'part',
    json: { shape: orNull(TEXT), of: (job) => rulesIn(job).warning?.signal ?? null },
  },
  warnSeconds: {
    input: {
      warn_seconds: {
        ...real(0, MAX_SECONDS),
        help: 'seconds before the timeout at which warn_signal is sent',
      },
    },
    edit: 'part',
    json: { shape: orNull(NUMBER), of: (job) => rulesIn(job).warning?.seconds ?? null },
  },
} satisfies Partial<FieldTable>;
