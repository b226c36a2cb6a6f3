// Explains in a sentence or two why a job is not running, or how it finished.

import type { Job } from '../../job/job.ts';
import type { Details } from '../../report/details.ts';
import type { Screen } from '../terminal.ts';
import { STANDING, waitText } from './details.ts';
import { oneLine, words } from './kit/text.ts';

const INDENT = '  ';

export function whyText(details: Details, { style, width }: Screen): string {
  const { job } = details;
  const room = width === null ? Number.POSITIVE_INFINITY : width - INDENT.length;
  const head = `${style.bold(job.id)}  ${style.state(job.state)(job.state)}`;
  const lines = whyLines(details).flatMap((line) => words(line, room));
  return [head, ...lines.map((line) => INDENT + line)].join('\n');
}

export function whyLines({ job, waits, now }: Details): string[] {
  const waiting = waits.filter(({ reason }) => reason !== 'scheduled').map((wait) => waitText(wait, now));
  return [...STANDING[job.state](job, now), ...causeOf(job), ...waiting].map(oneLine);
}

function causeOf({ state, lastError, id }: Job): string[] {
  if (lastError === null || !['failed', 'dead', 'cancelled'].includes(state)) return [];
  const logs = state === 'cancelled' ? '' : `: queuectl logs ${id}`;
  return [`${lastError}${logs}`];
}
