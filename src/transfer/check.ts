// Checks a whole export file before anything is stored: every line must be readable, complete and valid. The error
// names the first invalid line.

import { DEPENDENCY_RULES } from '../job/flow/dependencies.ts';
import { isValidId, isValidJobId } from '../job/id.ts';
import { OUTCOMES, STATES } from '../job/job.ts';
import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import { recordOf } from '../job/output/output.ts';
import { isRunning } from '../job/state-sets.ts';
import { type Columns, isRecord, problemWithCells } from './check-cells.ts';
import { COUNTED, type Counts, ENVIRONMENT_SLOTS, FORMAT, NO_COUNTS, OUTPUT_LINE_BYTES } from './format.ts';
import type { FileLine } from './line-file.ts';

/** Problem and hint. */
export class BadLine extends Error {
  readonly hint: string;

  constructor(problem: string, hint = '') {
    super(problem);
    this.hint = hint;
  }
}

const CUT_SHORT = 'export it again, or copy the file again: nothing after that line has arrived';
const NOT_OURS =
  'queuectl export FILE writes such a file; queuectl enqueue --file FILE takes jobs as people write them';

type Record_ = Readonly<Record<string, unknown>>;

/** Checks line by line, and throws BadLine at the first invalid one. */
export class Checker {
  counts: Counts = NO_COUNTS;
  /** ID of the last job. */
  lastId = '';
  private readonly columns: Columns;
  private readonly schemaVersion: number;
  private readonly slots = new Set<number>();
  private isBegun = false;
  private isEnded = false;
  private lastNumber: number | null = null;
  private lastByte: number | null = null;

  constructor(columns: Columns, schemaVersion: number) {
    this.columns = columns;
    this.schemaVersion = schemaVersion;
  }

  /** Returns the parsed line. */
  take(line: FileLine): Record_ {
    if (!this.isBegun) return this.begin(line);
    if (this.isEnded) throw new BadLine(`line ${line.number} comes after its last line`, CUT_SHORT);
    if (!line.isWhole) throw new BadLine(`it was cut short in line ${line.number}`, CUT_SHORT);
    const said = parsed(line);
    const problem = this.problemWith(said);
    if (problem !== null) throw new BadLine(`line ${line.number}: ${problem}`);
    const counted = Object.keys(said)
      .map((key) => COUNTED[key])
      .find((name) => name !== undefined);
    if (counted) this.counts = { ...this.counts, [counted]: this.counts[counted] + 1 };
    return said;
  }

  /** Called after the last line. */
  end(): void {
    if (!this.isBegun) throw new BadLine('it is empty', NOT_OURS);
    if (!this.isEnded) throw new BadLine('it was cut short: its last line is missing', CUT_SHORT);
  }

  private begin(line: FileLine): Record_ {
    const said = isJson(line.text) ? JSON.parse(line.text) : null;
    const header = isRecord(said) && isRecord(said.queuectl) ? said.queuectl : null;
    if (header === null || !Number.isSafeInteger(header.format) || !Number.isSafeInteger(header.schema))
      throw new BadLine('it is not an export of queuectl: line 1 does not say that it is one', NOT_OURS);
    if (Number(header.format) > FORMAT || Number(header.schema) > this.schemaVersion)
      throw new BadLine(
        `it was written by a newer queuectl (format ${header.format}, schema ${header.schema})`,
        `upgrade queuectl on this machine: it knows format ${FORMAT}, schema ${this.schemaVersion}`,
      );
    this.isBegun = true;
    return said as Record_;
  }

  private problemWith(said: Record_): string | null {
    if ('job' in said) return this.problemWithJob(said);
    if ('attempt' in said) return this.problemWithAttempt(said.attempt);
    if ('output' in said) return this.problemWithOutput(said);
    if ('setting' in said) return problemWithSetting(said.setting);
    if ('row' in said) return this.problemWithRow(said);
    if ('variables' in said) return this.problemWithEnvironment(said);
    if ('end' in said) return this.problemWithEnd(said.end);
    return `it says nothing that is known: ${Object.keys(said).slice(0, 3).join(', ') || 'it is empty'}`;
  }

  private problemWithJob({ job, environment, rows = {}, stdin }: Record_): string | null {
    const problem = problemWithCells(this.columns, 'jobs', job);
    if (problem !== null) return problem;
    const { id, state } = job as Record_;
    if (!isValidJobId(String(id))) return `'${String(id).slice(0, 40)}' cannot be an id`;
    const named = problemWithNames(JOB_NAMES, job as Record_);
    if (named !== null) return named;
    if (!STATES.some((known) => known === state && !isRunning(known)))
      return `'${String(state).slice(0, 40)}' cannot be the state of a job`;
    if (environment !== undefined && !this.slots.has(environment as number))
      return 'its environment does not come before it';
    if (!isStdin(stdin, (job as Record_).stdin_bytes)) return 'its standard input cannot be read';
    [this.lastId, this.lastNumber, this.lastByte] = [String(id), 0, null];
    return this.problemWithRows(rows);
  }

  private problemWithRows(tables: unknown): string | null {
    if (!isRecord(tables)) return "'rows' is not an object";
    for (const [table, rows] of Object.entries(tables)) {
      if (!belongsToJobs(this.columns, table) || !Array.isArray(rows))
        return `jobs have no '${table.slice(0, 40)}'`;
      const problem = rows.map((cells) => problemWithCells(this.columns, table, cells)).find((one) => one);
      if (problem) return problem;
      if (new Set(rows.map(keyOfRow)).size < rows.length) return `${table} has the same row twice`;
      if (table === 'dependencies' && !rows.every(isDependency)) return 'what it waits for cannot be read';
    }
    return null;
  }

  private problemWithAttempt(attempt: unknown): string | null {
    const problem = problemWithCells(this.columns, 'attempts', attempt);
    if (problem !== null) return problem;
    const { number, outcome, output } = attempt as Record_;
    if (this.lastNumber === null) return 'an attempt without its job';
    if (Number(number) <= this.lastNumber) return 'the attempts of a job are not in order';
    if (!OUTCOMES.some((known) => known === outcome))
      return `no attempt ends '${String(outcome).slice(0, 40)}'`;
    if (output !== undefined && !isOutputRecord(output))
      return 'what is recorded of its output cannot be read';
    [this.lastNumber, this.lastByte] = [Number(number), 0];
    return null;
  }

  private problemWithOutput({ output, from }: Record_): string | null {
    if (this.lastByte === null) return 'output without its attempt';
    if (!Number.isSafeInteger(from) || Number(from) < this.lastByte) return 'its output is not in order';
    if (typeof output !== 'string' || !isBase64(output)) return 'its output is not base64';
    const bytes = Buffer.byteLength(output, 'base64');
    if (bytes > OUTPUT_LINE_BYTES) return 'its output is in lines that are too long';
    this.lastByte = Number(from) + bytes;
    return null;
  }

  private problemWithRow({ table, row }: Record_): string | null {
    const isKnown = typeof table === 'string' && table in this.columns && !belongsToJobs(this.columns, table);
    if (!isKnown || table === 'jobs') return `there is no table '${String(table).slice(0, 40)}' of a queue`;
    return (
      problemWithCells(this.columns, table, row) ?? problemWithNames(ROW_NAMES[table] ?? [], row as Record_)
    );
  }

  private problemWithEnvironment({ environment, variables }: Record_): string | null {
    const isSlot = Number.isSafeInteger(environment) && Number(environment) >= 0;
    if (!isSlot || Number(environment) >= ENVIRONMENT_SLOTS) return 'its environment has no number';
    if (typeof variables !== 'string' || !isVariables(variables)) return 'its environment cannot be read';
    this.slots.add(Number(environment));
    return null;
  }

  private problemWithEnd(end: unknown): string | null {
    this.isEnded = true;
    if (!isRecord(end)) return 'its counts cannot be read';
    const wrong = (Object.keys(NO_COUNTS) as (keyof Counts)[]).find(
      (name) => end[name] !== this.counts[name],
    );
    return wrong ? `it counts ${String(end[wrong])} ${wrong}, and there are ${this.counts[wrong]}` : null;
  }
}

/** Columns with names that clients use in URLs. */
const JOB_NAMES = ['queue', 'name', 'group_name', 'schedule', 'key'];
const ROW_NAMES: Readonly<Record<string, readonly string[]>> = {
  groups: ['name'],
  queue_limits: ['queue'],
  schedules: ['name'],
  recipes: ['name'],
};

function problemWithNames(columns: readonly string[], cells: Record_): string | null {
  const wrong = columns.find((column) => {
    const name = cells[column] ?? null;
    return name !== null && name !== EVERY_QUEUE && !isValidId(String(name));
  });
  return wrong === undefined ? null : `'${String(cells[wrong]).slice(0, 40)}' cannot be a name (${wrong})`;
}

function parsed({ text, number }: FileLine): Record_ {
  if (!isJson(text))
    throw new BadLine(`line ${number} is not JSON`, 'was the file edited, or damaged on its way?');
  const said: unknown = JSON.parse(text);
  if (!isRecord(said)) throw new BadLine(`line ${number} is not a JSON object`);
  return said;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const belongsToJobs = (columns: Columns, table: string): boolean =>
  table === 'attempts' ||
  (Object.hasOwn(columns, table) && (columns[table] ?? []).some(({ name }) => name === 'job_seq'));

const keyOfRow = (cells: Record_): string => JSON.stringify(cells.position ?? cells.tag ?? cells);

const PARENT_OUTCOMES = ['completed', 'dead', 'cancelled', 'deleted'];
const isDependency = ({ kind, rule, outcome }: Record_): boolean =>
  (kind === 'job' || kind === 'group') &&
  DEPENDENCY_RULES.some((known) => known === rule) &&
  (outcome === undefined || PARENT_OUTCOMES.some((known) => known === outcome));

function isOutputRecord(text: unknown): boolean {
  try {
    return typeof text === 'string' && isRecord(JSON.parse(text)) && recordOf(text) !== null;
  } catch {
    return false;
  }
}

const isVariables = (text: string): boolean =>
  isJson(text) &&
  isRecord(JSON.parse(text)) &&
  Object.values(JSON.parse(text)).every((value) => typeof value === 'string');

function problemWithSetting(setting: unknown): string | null {
  if (!isRecord(setting) || typeof setting.key !== 'string') return 'its setting has no key';
  const { value } = setting;
  const isValue = value === null || typeof value === 'string' || Number.isFinite(value);
  return isValue ? null : `the value of '${setting.key.slice(0, 40)}' cannot be read`;
}

const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

/** The size must match the job's; no input is allowed if the job has none. */
function isStdin(stdin: unknown, bytes: unknown): boolean {
  if (stdin === undefined) return bytes === undefined;
  return typeof stdin === 'string' && isBase64(stdin) && Buffer.byteLength(stdin, 'base64') === bytes;
}
