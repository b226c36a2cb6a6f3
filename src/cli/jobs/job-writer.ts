// Jobs on their way out, a page at a time: nothing is held back, so any number of them can be written.

import type { Job } from '../../job/job.ts';
import { type Json, jobToJson } from '../../job/wire.ts';
import { type JobColumns, type JobTable, jobTable } from '../render/job.ts';
import type { Terminal } from '../terminal.ts';

export interface JobWriter {
  /** `isAll`: there will be no other page. */
  write(jobs: readonly Job[], isAll: boolean): void;
  end(): void;
}

type ToJson = (job: Job) => Json;

/** One JSON array, laid out as if it had been written in one go. */
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

/** A table that the first page decides the columns of. Without any job nothing is written. */
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
