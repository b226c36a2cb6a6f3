// Writes jobs page by page, so that memory use does not grow with their number.

import type { Job } from '../../job/job.ts';
import { type Json, jobToJson } from '../../job/wire.ts';
import { type JobColumns, type JobTable, jobTable } from '../render/job.ts';
import type { Terminal } from '../terminal.ts';

export interface JobWriter {
  /** `isAll`: this is the only page. */
  write(jobs: readonly Job[], isAll: boolean): void;
  end(): void;
}

type ToJson = (job: Job) => Json;

/** Writes one JSON array, formatted as if written at once. */
export function jsonWriter({ out }: Terminal, toJson: ToJson = (job) => jobToJson(job)): JobWriter {
  let before = '[\n';
  return {
    write: (jobs) => {
      if (jobs.length === 0) return;
      const list = JSON.stringify(jobs.map(toJson), null, 2);
      out(before + list.slice('[\n'.length, -'\n]'.length));
      before = ',\n';
    },
    end: () => out(before === '[\n' ? '[]\n' : '\n]\n'),
  };
}

/** Writes a table whose columns depend on the first page. Writes nothing if there are no jobs. */
export function tableWriter(columns: JobColumns, terminal: Terminal, now: () => number): JobWriter {
  let table: JobTable | null = null;
  return {
    write: (jobs, isAll) => {
      if (jobs.length === 0) return;
      const head = table === null;
      table ??= jobTable(columns, jobs, isAll, now(), terminal);
      const lines = [...(head ? [table.head] : []), ...table.rows(jobs, now())];
      terminal.out(`${lines.join('\n')}\n`);
    },
    end: () => {},
  };
}
