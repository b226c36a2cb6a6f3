// Reads a crontab line by line like cron. Returns the entries that can become schedules, and the others with reasons.

import { QueueError } from '../errors/errors.ts';
import { parseCron } from './cron-expression.ts';
import { readZone } from './zone.ts';

export interface CrontabEntry {
  readonly line: number;
  /** Derived from the command's program; unique within the file. */
  readonly name: string;
  readonly cron: string;
  /** From a CRON_TZ line; null for the machine's zone. */
  readonly zone: string | null;
  readonly command: string;
  /** Variables set by earlier lines. */
  readonly env: Readonly<Record<string, string>>;
}

export interface NotTaken {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

export interface Crontab {
  readonly entries: readonly CrontabEntry[];
  readonly notTaken: readonly NotTaken[];
}

export interface CrontabOptions {
  /** If set, lines have a user column, as in /etc/crontab, and only lines of this user are read. */
  readonly user?: string | undefined;
}

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*|"[^"]*"|'[^']*')\s*=\s*(.*)$/;
const FIELDS = /^((?:\S+\s+){4}\S+)\s+(.*)$/;
const MACRO = /^(@\S+)\s+(.*)$/;

/** Values set by earlier lines. */
interface Settings {
  zone: string | null;
  readonly env: Record<string, string>;
}

export function parseCrontab(text: string, options: CrontabOptions = {}): Crontab {
  const settings: Settings = { zone: null, env: {} };
  const [entries, notTaken]: [CrontabEntry[], NotTaken[]] = [[], []];
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = readLine(line, settings, options);
    if (typeof read === 'string') notTaken.push({ line: i + 1, text: line, reason: read });
    else if (read !== null) entries.push({ ...read, line: i + 1, name: uniqueName(read.command, entries) });
  }
  return { entries, notTaken };
}

type Read = Omit<CrontabEntry, 'line' | 'name'>;

/** Returns an entry, null for a line that only sets a variable, or the reason for skipping it. */
function readLine(line: string, settings: Settings, options: CrontabOptions): Read | string | null {
  const variable = VARIABLE.exec(line);
  if (variable) return setVariable(unquoted(variable[1] ?? ''), unquoted(variable[2] ?? ''), settings);
  const match = (line.startsWith('@') ? MACRO : FIELDS).exec(line);
  if (!match) return 'the line is neither a variable nor a time with a command';
  const [, cron = '', rest = ''] = match;
  const wrong = problemWith(cron);
  if (wrong !== null) return wrong;
  const command = options.user === undefined ? rest : ofUser(rest, options.user);
  if (command === null) return `the line runs as a user other than ${options.user}; jobs run as their worker's user`;
  return withoutInput(command, { cron, zone: settings.zone, env: { ...settings.env } });
}

/** Returns why a variable is not supported, or null. */
function setVariable(name: string, value: string, settings: Settings): string | null {
  if (name === 'CRON_TZ') return setZone(value, settings);
  if (name === 'MAILTO' || name === 'MAILFROM') {
    return 'queuectl sends no mail; use queuectl logs for output and queuectl dlq list for dead jobs';
  }
  if (name === 'SHELL') {
    return `every job runs in the queue's shell; change it with: queuectl config set shell '${value} -c'`;
  }
  settings.env[name] = value;
  return null;
}

function setZone(value: string, settings: Settings): string | null {
  try {
    settings.zone = readZone(value);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function problemWith(cron: string): string | null {
  try {
    parseCron(cron);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof QueueError) return error.message;
  throw error;
}

function ofUser(rest: string, user: string): string | null {
  const [, owner, command = ''] = /^(\S+)\s+(.*)$/.exec(rest) ?? [];
  return owner === user && command !== '' ? command : null;
}

/** A bare % ends the command and starts its input; \% is a percent sign. */
function withoutInput(command: string, entry: Omit<Read, 'command'>): Read | string {
  if (/(^|[^\\])%/.test(command)) {
    return "the text after % is the command's standard input; move it into the command, or write \\% for a percent sign";
  }
  return { ...entry, command: command.replaceAll('\\%', '%') };
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2');

const LONGEST_NAME = 40;

function uniqueName(command: string, entries: readonly CrontabEntry[]): string {
  const program = /^(?:\w+=\S*\s+|cd\s+\S+\s*(?:&&|;)\s*)*(\S+)/.exec(command)?.[1] ?? '';
  const base = (program.split('/').at(-1) ?? '').replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  const name = base.slice(0, LONGEST_NAME) || 'crontab';
  const taken = new Set(entries.map((entry) => entry.name));
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
