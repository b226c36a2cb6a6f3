// Unfinished dependencies of a blocked job: jobs with their states, and groups with their progress.

import type { Edge } from '../../job/flow/dependencies.ts';
import type { Job } from '../../job/job.ts';
import type { Queue } from '../../queue/queue.ts';
import { endedIn, sizeOf } from '../group.ts';
import type { Wait } from './wait.ts';

const NAMED_AT_MOST = 5;

export async function waitsForOthers(queue: Queue, { id }: Job): Promise<Wait[]> {
  const open = (await queue.dependencies.ofJob(id)).filter(({ outcome }) => outcome === null);
  const named: string[] = [];
  for (const edge of open.slice(0, NAMED_AT_MOST)) named.push(await described(queue, edge));
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  const message = `depends on ${named.join(', ')}${more}`;
  return [{ reason: 'dependencies', message, hint: hintFor(open[0]) }];
}

const hintFor = (edge: Edge | undefined): string | null => {
  if (!edge) return null;
  return edge.kind === 'job' ? `queuectl why ${edge.on}` : `queuectl group show ${edge.on}`;
};

const described = (queue: Queue, edge: Edge): Promise<string> =>
  edge.kind === 'job' ? describedJob(queue, edge) : describedGroup(queue, edge);

/** The job may have finished already; the next turn of a worker then unblocks its dependents. */
async function describedJob(queue: Queue, { on, rule }: Edge): Promise<string> {
  const job = await queue.get(on);
  const state = job === null ? 'gone' : job.state;
  return `job ${on} ${WISH[rule]} (${job?.name ? `${job.name}, ` : ''}${state})`;
}

async function describedGroup(queue: Queue, { on, rule }: Edge): Promise<string> {
  const { counts } = await queue.groups.get(on);
  const total = sizeOf(counts);
  return `group ${on} ${WISH[rule]} (${total - endedIn(counts)} of ${total} jobs left)`;
}

const WISH: Readonly<Record<Edge['rule'], string>> = {
  success: 'completing',
  end: 'finishing',
  failure: 'failing',
};
