// Exports a queue as lines at the speed of the client, in bounded memory for any number of jobs.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { type JobState, STATES } from '../../job/job.ts';
import type { JobFilter } from '../../store/store.ts';
import { exportQueue } from '../../transfer/export.ts';
import { LINES, type Lines, lineAnswer } from '../http/line-answer.ts';
import { route } from '../route.ts';

const flag = z.enum(['true', 'false']).default('false');

const query = z.object({
  history: flag.describe('Include the attempts of jobs'),
  outputs: flag.describe('Include output and history'),
  state: z.string().optional().describe('Only jobs in these states, for example dead,failed'),
  queue: z.string().optional().describe('Only jobs of this queue'),
  group: z.string().optional().describe('Only jobs of this group'),
});

const CHECK_EVERY_MS = 15_000;

const exportRoute = route({
  id: 'exportQueue',
  tag: 'transfer',
  summary: 'Export the queue for a backup or another queue, including environments and webhook secrets',
  role: 'admin',
  query,
  isTransfer: true,
  isRecorded: true,
  answers: {
    200: {
      help: 'JSON lines as described in docs/guides/backup.md. Without the last line, `end`, the export is incomplete',
      contentType: LINES,
      schema: z.string(),
    },
  },
  handle: async ({ queue, query: asked, server, isStillAllowed }) => {
    const outputs = asked.outputs === 'true';
    const wanted = { outputs, history: outputs || asked.history === 'true', filter: filterOf(asked) };
    return lineAnswer(async (lines) => {
      await exportQueue(queue, wanted, whileAllowed(lines, isStillAllowed), () => {});
    }, server.log);
  },
});

/** Null for the whole queue. */
function filterOf({ state, queue, group }: z.output<typeof query>): JobFilter | null {
  if (state === undefined && queue === undefined && group === undefined) return null;
  return {
    ...(state !== undefined && { states: state.split(',').map(stateOf) }),
    ...(queue !== undefined && { queue }),
    ...(group !== undefined && { group }),
  };
}

function stateOf(word: string): JobState {
  const found = STATES.find((state) => state === word);
  if (found) return found;
  throw new QueueError('invalid_request', {
    where: "'state' in the query",
    problem: `'${word}' is not a state: ${STATES.join(', ')}`,
  });
}

/** Aborts the export if the client loses its access meanwhile. */
function whileAllowed(lines: Lines, isStillAllowed: () => Promise<boolean>): (line: string) => Promise<void> {
  let checkedAt = performance.now();
  return async (line) => {
    if (performance.now() - checkedAt > CHECK_EVERY_MS) {
      checkedAt = performance.now();
      if (!(await isStillAllowed())) throw new QueueError('not_logged_in');
    }
    await lines.write(line);
  };
}

export const exportRoutes = [exportRoute];
