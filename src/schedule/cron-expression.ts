// Parses cron expressions: five fields, six with seconds first, or a word such as @daily. Also classifies them for
// clock changes: whether an expression names times of day or follows the clock.

import { readField, type FieldName } from './cron-field.ts';
import { invalid, quote } from './invalid.ts';

export interface CronExpression {
  /** As written, with single spaces. */
  readonly text: string;
  /** Six fields, for croner. */
  readonly pattern: string;
  /** True if both day fields must match. cron requires this if one of them starts with a star. */
  readonly needsBothDays: boolean;
  /** True if the hour is fixed: a run in a skipped hour is made up for. */
  readonly namesHour: boolean;
  /** True if hour, minute and second are fixed: a repeated time runs once. */
  readonly namesTime: boolean;
}

const FIELD_NAMES: readonly FieldName[] = ['second', 'minute', 'hour', 'day of month', 'month', 'day of week'];

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

export function parseCron(written: string): CronExpression {
  const text = written.trim().replace(/\s+/g, ' ');
  const given = fieldsOf(text);
  const fields = FIELD_NAMES.map((name, i) => readField(name, given[i] ?? ''));
  const [second = '', minute = '', hour = '', day = '', , weekday = ''] = fields;
  const namesHour = !hour.includes('*');
  return {
    text,
    pattern: fields.join(' '),
    needsBothDays: /^[*?]/.test(day) || /^[*?]/.test(weekday),
    namesHour,
    namesTime: namesHour && !minute.includes('*') && !second.includes('*'),
  };
}

/** Always returns six fields. */
function fieldsOf(text: string): string[] {
  const fields = (text.startsWith('@') ? macro(text) : text).split(' ');
  if (fields.length === 6) return fields;
  if (fields.length === 5) return ['0', ...fields];
  throw invalid(
    `a cron expression has 5 fields, or 6 with leading seconds: ${quote(text)} has ${text === '' ? 0 : fields.length}`,
    "use minute hour day-of-month month day-of-week, for example '30 2 * * *' for every day at 02:30",
  );
}

function macro(text: string): string {
  const found = MACROS[text.toLowerCase()];
  if (found !== undefined && Object.hasOwn(MACROS, text.toLowerCase())) return found;
  if (/^@every\b/i.test(text)) throw invalid(`invalid cron expression ${quote(text)}`, '--every 90s');
  if (/^@reboot$/i.test(text)) {
    throw invalid(
      "'@reboot' is not supported: queuectl cannot detect when the host boots",
      "enqueue the job from the host's service manager instead",
    );
  }
  throw invalid(`unknown cron macro ${quote(text)}`, `use one of ${Object.keys(MACROS).join(', ')}`);
}
