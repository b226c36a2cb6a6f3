// Output of jobs: as bytes, and as a stream.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import { isoTime } from '../../job/wire.ts';
import { MERGED, STDERR, STDOUT } from '../../job/output/output-stamps.ts';
import type { Queue } from '../../queue/queue.ts';
import { OutputEvents } from '../live/output-events.ts';
import { EVENT_STREAM, STREAM_HEADERS } from '../live/sse.ts';
import { outputResponse, TEXT_HEADERS } from '../output/output-response.ts';
import { streamAccount } from '../live/stream-account.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { jobIdPath, positive } from '../schema/parameters.ts';

const attemptNumber = positive.optional().describe('Number of the attempt; default: the latest');

const runNumber = positive.optional().describe('The attempt by its `run`, which is unique even if an attempt was lost');

const STREAMS = { stdout: STDOUT, stderr: STDERR } as const;

const getOutput = route({
  id: 'getOutput',
  tag: 'output',
  summary: 'Get the output of an attempt; ranges refer to written bytes',
  role: 'viewer',
  parameters: jobIdPath,
  query: z.object({
    attempt: attemptNumber,
    run: runNumber,
    stream: z.enum(['stdout', 'stderr']).optional().describe('Only for a job with split_output'),
    download: z.enum(['true', 'false']).default('false'),
  }),
  answers: {
    200: { help: 'All stored output', contentType: 'text/plain', schema: z.string() },
    206: {
      help: 'The range, or its first stored piece',
      contentType: 'text/plain',
      schema: z.string(),
    },
  },
  handle: async ({ queue, path, query, request, hangUp }) => {
    const job = await queue.find(path.id);
    if (query.stream && !job.splitOutput) throw notSplit(job);
    const attempt = await chosenAttempt(queue, job, query);
    if (!attempt) return new Response('', { headers: { ...TEXT_HEADERS, 'x-queuectl-size': '0' } });
    return outputResponse({
      job,
      output: await queue.outputOf(job, attempt),
      stream: query.stream ? STREAMS[query.stream] : MERGED,
      isDownload: query.download === 'true',
      range: request.headers.has('if-range') ? null : request.headers.get('range'),
      hangUp,
    });
  },
});

const NAMES = { [MERGED]: null, [STDOUT]: 'stdout', [STDERR]: 'stderr' } as const;

const getStamps = route({
  id: 'getOutputStamps',
  tag: 'output',
  summary: 'Get the time and stream of each part of an output',
  role: 'viewer',
  parameters: jobIdPath,
  query: z.object({ attempt: attemptNumber, run: runNumber }),
  answers: {
    200: {
      help: 'Times of output; each applies from its byte to the next entry',
      schema: z
        .object({
          size: z.int().describe('Number of bytes written so far'),
          has_marks: z.boolean().describe('True for output of an early version that contains the START and END lines'),
          stamps: z.array(z.object({ offset: z.int(), at: time, stream: z.enum(['stdout', 'stderr']).nullable() })),
        })
        .meta({ id: 'OutputStamps' }),
    },
  },
  handle: async ({ queue, path, query }) => {
    const job = await queue.find(path.id);
    const attempt = await chosenAttempt(queue, job, query);
    if (!attempt) return { json: { size: 0, has_marks: false, stamps: [] } };
    const output = await queue.outputOf(job, attempt);
    const stamps = output.stamps.map(({ at, ms, stream }) => {
      return { offset: at, at: isoTime(ms), stream: NAMES[stream] };
    });
    return { json: { size: await output.size(), has_marks: output.isPlainText, stamps } };
  },
});

const followOutput = route({
  id: 'followOutput',
  tag: 'output',
  summary: 'Follow the output of an attempt until it finishes',
  role: 'viewer',
  parameters: jobIdPath,
  query: z.object({
    attempt: attemptNumber,
    from: z.coerce.number().int().min(0).default(0).describe('Offset of the first byte'),
  }),
  answers: {
    200: {
      help: 'Events with {offset, next, text}, then the event `end`',
      contentType: EVENT_STREAM,
      schema: z.string(),
    },
    204: { help: 'The attempt has finished and all output was sent; do not reconnect' },
  },
  handle: async ({ queue, live, path, query, principal, request, server, isStillAllowed, hangUp }) => {
    const job = await queue.find(path.id);
    const sent = sentBefore(request.headers.get('last-event-id'));
    if (sent?.isEnd) return new Response(null, { status: 204 });
    const wish = { attempt: await chosenAttempt(queue, job, query), from: sent?.offset ?? query.from };
    const producer = new OutputEvents(job.id, () => live.output(job.id), wish);
    const account = streamAccount(principal, server.peer);
    const body = live.stream(producer, { account, isStillAllowed, hangUp });
    return new Response(body, { headers: STREAM_HEADERS });
  },
});

function sentBefore(lastEventId: string | null): { offset: number; isEnd: boolean } | null {
  const [, offset, end] = /^(\d{1,15})(e?)$/.exec(lastEventId ?? '') ?? [];
  return offset === undefined ? null : { offset: Number(offset), isEnd: end === 'e' };
}

/** Returns the latest attempt by default, or null if the job has none yet. */
export async function chosenAttempt(queue: Queue, job: Job, { attempt, run }: Chosen): Promise<Attempt | null> {
  const attempts = await queue.history(job.id);
  const number = run ?? attempt;
  if (number === undefined) return attempts.at(-1) ?? null;
  const found =
    run === undefined
      ? attempts.findLast((one) => one.number === attempt) // a lost attempt has the number of its successor
      : attempts.find((one) => one.run === run);
  if (!found) throw new QueueError('attempt_not_found', { id: job.id, number });
  return found;
}

interface Chosen {
  readonly attempt?: number | undefined;
  readonly run?: number | undefined;
}

const notSplit = ({ id }: Job): QueueError =>
  new QueueError('invalid_request', {
    where: "'stream' in the query",
    problem: `stdout and stderr of job '${id}' were not stored separately`,
  });

export const outputRoutes = [getOutput, getStamps, followOutput];
