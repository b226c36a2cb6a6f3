// Prepares a job for another database, with its output in the store or in a new file, which is written before the rows
// that refer to it.

import type { Command } from '../job/job.ts';
import { KEPT_IN_STORE_BYTES, type OutputPart, type OutputRecord, recordOf, recordText } from '../job/output/output.ts';
import { LogWriter } from '../process/output/log-file.ts';
import { endLine, howItEnded, startLine } from '../process/output/log-lines.ts';
import type { Queue } from '../queue/queue.ts';
import type { Cells, CopiedAttempt, CopiedJob } from '../store/store.ts';
import { AttemptOutput } from './attempt-output.ts';
import type { Written } from './readable-output.ts';

export interface MovedOutput {
  readonly attempt: Pick<Written, 'output'>;
  /** True for attempts of versions that recorded nothing: START and END lines are part of the text. */
  readonly isPlainText: boolean;
  size(): Promise<number>;
  parts(): AsyncIterable<OutputPart>;
}

export const movedFrom =
  (source: Pick<Queue, 'store'>) =>
  ({ job }: CopiedJob, { cells }: CopiedAttempt): MovedOutput =>
    new AttemptOutput(source.store, String(job.id), writtenBy(cells));

export async function relocated(
  target: Pick<Queue, 'store'>,
  copied: CopiedJob,
  outputOf: (job: CopiedJob, attempt: CopiedAttempt) => MovedOutput,
  logPath: (id: string, run: number) => string,
): Promise<CopiedJob> {
  const { attempts, ...rest } = copied;
  const { job } = rest;
  const moved: CopiedAttempt[] = [];
  for (const attempt of attempts) {
    const { cells } = attempt;
    const output = outputOf(copied, attempt);
    const path = logPath(String(job.id), Number(cells.number));
    moved.push(target.store.spansHosts ? toStore(cells, output) : await toHost(cells, output, commandOf(job), path));
  }
  return { ...rest, attempts: moved };
}

export const writtenBy = (cells: Cells): Written => ({
  run: Number(cells.number),
  logPath: cells.log_path ? String(cells.log_path) : null,
  output: recordOf(cells.output === null ? null : String(cells.output)),
  endedAt: cells.ended_at as number | null,
});

const commandOf = ({ command, is_argv }: Cells): Command => (is_argv ? JSON.parse(String(command)) : String(command));

const toStore = (cells: Cells, output: MovedOutput): CopiedAttempt => ({
  cells: { ...cells, log_path: '' },
  output: () => output.parts(),
});

async function toHost(cells: Cells, output: MovedOutput, command: Command, path: string): Promise<CopiedAttempt> {
  const size = await output.size();
  const isSmall = !output.isPlainText && size <= KEPT_IN_STORE_BYTES;
  if (size === 0 || isSmall) return toStore(cells, output);
  const record = await writeFile(path, output, linesAround(cells, output, command));
  const stamps = output.attempt.output?.stamps ?? [];
  const text = output.isPlainText ? null : recordText({ ...record, stamps });
  return { cells: { ...cells, log_path: path, output: text } };
}

/** Text of earlier versions already includes these lines. */
function linesAround(cells: Cells, { isPlainText }: MovedOutput, command: Command): { start: string; end: string } {
  if (isPlainText) return { start: '', end: '' };
  const how = howItEnded({
    outcome: cells.outcome as Parameters<typeof howItEnded>[0]['outcome'],
    exitCode: cells.exit_code as number | null,
    signal: cells.signal as string | null,
  });
  const [number, run] = [Number(cells.attempt), Number(cells.number)];
  const startedAt = Number(cells.started_at);
  return {
    start: startLine({ number, run, command, startedAt }),
    end: endLine({ at: Number(cells.ended_at), how }),
  };
}

async function writeFile(
  path: string,
  output: { parts(): AsyncIterable<OutputPart> },
  lines: { readonly start: string; readonly end: string },
): Promise<OutputRecord> {
  const log = new LogWriter(path, lines.start);
  try {
    for await (const part of output.parts()) log.add(part);
    return log.end(lines.end);
  } finally {
    log.close();
  }
}
