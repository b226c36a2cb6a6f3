// Collects the evidence about a problem in chronological order: records of the job and the store, faults around that
// time, and logs of the workers and guards concerned.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt } from '../src/job/job.ts';
import type { Entry } from './ledger.ts';

/** A violated guarantee as a sentence, and where to look for its cause. */
export interface Problem {
  readonly what: string;
  readonly jobId?: string;
  /** Worker or host concerned. */
  readonly name?: string;
  /** Time when it was seen; absent for the last known time of the job. */
  readonly at?: number;
}

export interface Records {
  readonly folder: string;
  readonly entries: readonly Entry[];
  readonly histories: ReadonlyMap<string, readonly Attempt[]>;
}

interface Line {
  readonly at: number;
  readonly text: string;
}

export const LOGS = { faults: 'faults.log', workers: 'workers.log', guards: 'guards.log' } as const;

const BEFORE_MS = 60_000;
const AFTER_MS = 5000;

export function evidenceOf(problem: Problem, { folder, entries, histories }: Records): string[] {
  const own = entries.filter(({ jobId }) => jobId === problem.jobId);
  const history = histories.get(problem.jobId ?? '') ?? [];
  const ofJob = [...own.map(lineOfEntry), ...history.flatMap(linesOfAttempt)];
  const at = problem.at ?? Math.max(...ofJob.map((line) => line.at));
  const isNear = (line: Line): boolean => line.at > at - BEFORE_MS && line.at < at + AFTER_MS;
  const names = [problem.jobId, problem.name, ...own.map(workerOf), ...history.map(workerOf)];
  const around = [
    ...linesIn(folder, LOGS.faults),
    ...[...linesIn(folder, LOGS.workers), ...linesIn(folder, LOGS.guards)].filter(({ text }) =>
      names.some((name) => name && text.includes(name)),
    ),
  ].filter(isNear);
  return inOrder([...ofJob, ...around]);
}

const workerOf = ({ workerId }: Entry | Attempt): string => workerId;

const lineOfEntry = ({ at, kind, pid, workerId, note }: Entry): Line => ({
  at,
  text: `ledger   ${kind} pid ${pid}, worker ${workerId}${note && `, ${NOTED[kind]} ${note}`}`,
});

const NOTED: Readonly<Record<Entry['kind'], string>> = {
  start: 'of',
  end: 'exit code',
  overlap: 'beside',
  crowded: 'at',
};

function linesOfAttempt(attempt: Attempt): Line[] {
  const { run, startedAt, endedAt, workerId, host, pid, pidStartedAt, outcome, error } = attempt;
  const claimed = `claimed by worker ${workerId} on ${host}, pid ${pid}, started at tick ${pidStartedAt}`;
  const begun = { at: startedAt, text: `store    run ${run} ${claimed}` };
  if (endedAt === null) return [begun];
  return [begun, { at: endedAt, text: `store    run ${run} ${outcome}: ${error}` }];
}

/** A line without a time belongs to the previous one. */
function linesIn(folder: string, file: string): Line[] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  let at = 0;
  const from = file.replace('s.log', '').padEnd(8);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, time, rest = line] = /^(\d{4}-\S+Z)\s+(.*)$/.exec(line) ?? [];
      if (time) at = Date.parse(time);
      return { at, text: `${from} ${rest}` };
    });
}

const inOrder = (lines: readonly Line[]): string[] =>
  lines.toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${new Date(at).toISOString()}  ${text}`);
