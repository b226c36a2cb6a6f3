import { whyToJson } from '../../report/waiting/why.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';
import type { Job } from '../../job/job.ts';
import type { Details } from '../../report/details.ts';
import type { Screen } from '../terminal.ts';
import { STANDING, waitText } from '../render/details.ts';
import { oneLine, words } from '../render/kit/text.ts';

export const command: Command = {
  name: 'why',
  purpose: 'look',
  summary: 'explain why a job is not running, or how it finished',
  usage: ['ID'],
  examples: [
    ['queuectl why k3f9', 'show what the job is waiting for, its position in line and what to do'],
    ['queuectl why k3f9 --json | jq .waiting_reasons', 'print the reasons as JSON'],
  ],
  completes: 'job',
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['id'], 'why');
    const queue = await context.queue();
    const details = await (await queue.reports()).details(await queue.find(given));
    return {
      data: whyToJson(details, whyLines(details).join('; ')),
      text: whyText(details, context.terminal),
    };
  },
};

const INDENT = '  ';

function whyText(details: Details, { style, width }: Screen): string {
  const { job } = details;
  const room = width === null ? Number.POSITIVE_INFINITY : width - INDENT.length;
  const head = `${style.bold(job.id)}  ${style.state(job.state)(job.state)}`;
  const lines = whyLines(details).flatMap((line) => words(line, room));
  return [head, ...lines.map((line) => INDENT + line)].join('\n');
}

function whyLines({ job, waits, now }: Details): string[] {
  const waiting = waits.filter(({ reason }) => reason !== 'scheduled').map((wait) => waitText(wait, now));
  return [...STANDING[job.state](job, now), ...causeOf(job), ...waiting].map(oneLine);
}

function causeOf({ state, lastError, id }: Job): string[] {
  if (lastError === null || !['failed', 'dead', 'cancelled'].includes(state)) return [];
  const logs = state === 'cancelled' ? '' : `: queuectl logs ${id}`;
  return [`${lastError}${logs}`];
}
