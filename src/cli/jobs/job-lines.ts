// The result of commands that change jobs: a line for each job, or JSON.

import type { Job } from '../../job/job.ts';
import { jobToJson } from '../../job/wire.ts';
import type { Result } from '../command.ts';
import { many } from '../render/kit/human.ts';
import { oneLine } from '../render/kit/one-line.ts';

const SHOWN_LINES = 20;

export function jobLines(jobs: readonly Job[], verb: (job: Job, index: number) => string): Result {
  const shown = jobs.slice(0, SHOWN_LINES);
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  const lines = shown.map((job, i) => `${job.id.padEnd(width)}  ${oneLine(verb(job, i))}`);
  if (jobs.length > SHOWN_LINES) lines.push(`and ${many(jobs.length - SHOWN_LINES, 'more job')}`);
  return {
    get data() {
      return jobs.map((job) => jobToJson(job));
    },
    text: lines.join('\n'),
  };
}
