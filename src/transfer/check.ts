// Checks a whole export file before anything is stored: every line must be readable, complete and valid. The error
// names the first invalid line.

import { DEPENDENCY_RULES } from '../job/flow/dependencies.ts';
import { isValidId, isValidJobId } from '../job/id.ts';
import { OUTCOMES, STATES } from '../job/job.ts';
import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import { recordOf } from '../job/output/output.ts';
import { isRunning } from '../job/state-sets.ts';
import { type Columns, isRecord, problemWithCells } from './check-cells.ts';
import { type Counts, counted, ENVIRONMENT_SLOTS, FORMAT, NO_COUNTS, OUTPUT_LINE_BYTES } from './format.ts';
import type { FileLine } from './line-file.ts';

export class BadLine extends Error {
  readonly hint: string;

  constructor(problem: string, hint = '') {
    super(problem);
    this.hint = hint;
  }
}

const CUT_SHORT = 'export or copy the file again; everything after that line is missing';
const NOT_OURS =
  'write an export with queuectl export FILE; to enqueue jobs written by hand, use queuectl enqueue --file FILE';

type Record_ = Readonly<Record<string, unknown>>;

/** Checks line by line, and throws BadLine at the first invalid one. */
export class Checker {
  counts: Counts = NO_COUNTS;
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

  take(line: FileLine): Record_ {
    if (!this.isBegun) return this.begin(line);
    if (this.isEnded) throw new BadLine(`line ${line.number} follows the end marker`, CUT_SHORT);
    if (!line.isWhole) throw new BadLine(`the file is truncated at line ${line.number}`, CUT_SHORT);
    const said = parsed(line);
    const problem = this.problemWith(said);
    if (problem !== null) throw new BadLine(`line ${line.number}: ${problem}`);
    this.counts = counted(this.counts, said);
    return said;
  }

  /** Called after the last line. */
  end(): void {
    if (!this.isBegun) throw new BadLine('the file is empty', NOT_OURS);
    if (!this.isEnded) throw new BadLine('the file is truncated: its last line is missing', CUT_SHORT);
  }

  private begin(line: FileLine): Record_ {
    const said = isJson(line.text) ? JSON.parse(line.text) : null;
    const header = isRecord(said) && isRecord(said.queuectl) ? said.queuectl : null;
    if (header === null || !Number.isSafeInteger(header.format) || !Number.isSafeInteger(header.schema))
      throw new BadLine('the file is not a queuectl export: line 1 has no export header', NOT_OURS);
    if (Number(header.format) > FORMAT || Number(header.schema) > this.schemaVersion)
      throw new BadLine(
        `the file was written by a newer queuectl (format ${header.format}, schema ${header.schema})`,
        `upgrade queuectl on this host: it supports format ${FORMAT} and schema ${this.schemaVersion}`,
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
    return `unknown record: ${Object.keys(said).slice(0, 3).join(', ') || 'the line is empty'}`;
  }

  private problemWithJob({ job, environment, rows = {}, stdin }: Record_): string | null {
    const problem = problemWithCells(this.columns, 'jobs', job);
    if (problem !== null) return problem;
    const { id, state } = job as Record_;
    if (!isValidJobId(String(id))) return `invalid job ID '${String(id).slice(0, 40)}'`;
    const named = problemWithNames(JOB_NAMES, job as Record_);
    if (named !== null) return named;
    if (!STATES.some((known) => known === state && !isRunning(known)))
      return `invalid job state '${String(state).slice(0, 40)}'`;
    if (environment !== undefined && !this.slots.has(environment as number))
      return "the job's environment is missing before the job";
    if (!isStdin(stdin, (job as Record_).stdin_bytes)) return "the job's standard input is invalid";
    [this.lastId, this.lastNumber, this.lastByte] = [String(id), 0, null];
    return this.problemWithRows(rows);
  }

  private problemWithRows(tables: unknown): string | null {
    if (!isRecord(tables)) return "'rows' is not an object";
    for (const [table, rows] of Object.entries(tables)) {
      if (!belongsToJobs(this.columns, table) || !Array.isArray(rows))
        return `unknown table '${table.slice(0, 40)}' in a job`;
      const problem = rows.map((cells) => problemWithCells(this.columns, table, cells)).find((one) => one);
      if (problem) return problem;
      if (new Set(rows.map(keyOfRow)).size < rows.length) return `duplicate row in ${table}`;
      if (table === 'dependencies' && !rows.every(isDependency)) return 'a dependency of the job is invalid';
    }
    return null;
  }

  private problemWithAttempt(attempt: unknown): string | null {
    const problem = problemWithCells(this.columns, 'attempts', attempt);
    if (problem !== null) return problem;
    const { number, outcome, output } = attempt as Record_;
    if (this.lastNumber === null) return 'attempt without a job';
    if (Number(number) <= this.lastNumber) return 'the attempts of the job are out of order';
    if (!OUTCOMES.some((known) => known === outcome))
      return `invalid attempt outcome '${String(outcome).slice(0, 40)}'`;
    if (output !== undefined && !isOutputRecord(output)) return "the attempt's output record is invalid";
    [this.lastNumber, this.lastByte] = [Number(number), 0];
    return null;
  }

  private problemWithOutput({ output, from }: Record_): string | null {
    if (this.lastByte === null) return 'output without an attempt';
    if (!Number.isSafeInteger(from) || Number(from) < this.lastByte) return "the attempt's output is out of order";
    if (typeof output !== 'string' || !isBase64(output)) return "the attempt's output is not base64";
    const bytes = Buffer.byteLength(output, 'base64');
    if (bytes > OUTPUT_LINE_BYTES) return "the attempt's output contains lines that are too long";
    this.lastByte = Number(from) + bytes;
    return null;
  }

  private problemWithRow({ table, row }: Record_): string | null {
    const isKnown = typeof table === 'string' && table in this.columns && !belongsToJobs(this.columns, table);
    if (!isKnown || table === 'jobs') return `unknown table '${String(table).slice(0, 40)}'`;
    return problemWithCells(this.columns, table, row) ?? problemWithNames(ROW_NAMES[table] ?? [], row as Record_);
  }

  private problemWithEnvironment({ environment, variables }: Record_): string | null {
    const isSlot = Number.isSafeInteger(environment) && Number(environment) >= 0;
    if (!isSlot || Number(environment) >= ENVIRONMENT_SLOTS) return 'the environment has no number';
    if (typeof variables !== 'string' || !isVariables(variables)) return 'the environment is invalid';
    this.slots.add(Number(environment));
    return null;
  }

  private problemWithEnd(end: unknown): string | null {
    this.isEnded = true;
    if (!isRecord(end)) return 'the final counts are invalid';
    const wrong = (Object.keys(NO_COUNTS) as (keyof Counts)[]).find((name) => end[name] !== this.counts[name]);
    return wrong ? `the file declares ${String(end[wrong])} ${wrong} but contains ${this.counts[wrong]}` : null;
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
  return wrong === undefined ? null : `invalid name '${String(cells[wrong]).slice(0, 40)}' (${wrong})`;
}

function parsed({ text, number }: FileLine): Record_ {
  if (!isJson(text))
    throw new BadLine(`line ${number} is not valid JSON`, 'check whether the file was edited or damaged');
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
  if (!isRecord(setting) || typeof setting.key !== 'string') return 'the setting has no key';
  const { value } = setting;
  const isValue = value === null || typeof value === 'string' || Number.isFinite(value);
  return isValue ? null : `invalid value for the setting '${setting.key.slice(0, 40)}'`;
}

const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

/** The size must match the job's; no input is allowed if the job has none. */
function isStdin(stdin: unknown, bytes: unknown): boolean {
  if (stdin === undefined) return bytes === undefined;
  return typeof stdin === 'string' && isBase64(stdin) && Buffer.byteLength(stdin, 'base64') === bytes;
}
