// What an attempt wrote as the body of a response: bytes as they are, read as the client takes them, whatever their number. A
// browser is told that they are text and nothing else, since those who enqueue a job decide what they are.

import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import type { OutputPart } from '../../job/output/output.ts';
import { MERGED, type Stream } from '../../job/output/output-stamps.ts';
import type { ReadableOutput } from '../../output/readable-output.ts';
import { type ByteRange, rangeOf } from './byte-range.ts';

export interface OutputRequest {
  readonly job: Job;
  readonly output: ReadableOutput;
  /** Of a job that keeps them apart; MERGED: both. */
  readonly stream: Stream;
  /** To be saved, not shown. */
  readonly isDownload: boolean;
  /** The header; null: all of it. */
  readonly range: string | null;
  readonly hangUp: () => void;
}

export async function outputResponse(request: OutputRequest): Promise<Response> {
  const { output, stream, range } = request;
  const size = await output.size();
  const headers = { ...headersFor(request), 'x-queuectl-size': String(size) };
  if (stream !== MERGED) return new Response(bodyOf(streamParts(output, stream), request), { headers });
  const wanted = rangeOf(range, size);
  return wanted ? part(request, wanted, size, headers) : whole(request, size, headers);
}

/** Where the middle was left out, head and tail follow one another. */
async function whole(request: OutputRequest, size: number, headers: Headers): Promise<Response> {
  const parts = limited(request.output.parts(), size);
  const first = await parts.next();
  if (first.done && size > 0) throw gone(request);
  const { output, endedAt } = request.output.attempt;
  const bytes = output && endedAt !== null ? output.head + output.tail : null;
  const length = bytes !== null && bytes > 0 ? { 'content-length': String(bytes) } : {};
  const body = bodyOf(startingWith(first, parts), request, bytes ?? 0);
  return new Response(body, { headers: { 'accept-ranges': 'bytes', ...headers, ...length } });
}

/** Of a range that reaches over what was left out, the first piece that is there; Content-Range says which. */
async function part(
  request: OutputRequest,
  { from, to }: ByteRange,
  size: number,
  headers: Headers,
): Promise<Response> {
  const parts = limited(request.output.parts(from), to);
  const first = await parts.next();
  if (first.done) throw gone(request);
  const start = first.value.from;
  const end = Math.min(to, endOfPiece(request.output.attempt, first.value));
  const body = bodyOf(limited(startingWith(first, parts), end), request, end - start);
  return new Response(body, {
    status: 206,
    headers: {
      'accept-ranges': 'bytes',
      ...headers,
      'content-range': `bytes ${start}-${end - 1}/${size}`,
      'content-length': String(end - start),
    },
  });
}

/** Of an attempt that runs, what is kept may change meanwhile: only what was read is promised. */
function endOfPiece({ output, endedAt }: Attempt, { from, data }: OutputPart): number {
  if (output === null || endedAt === null) return from + data.length;
  return from < output.head ? output.head : output.bytes;
}

type Headers = Readonly<Record<string, string>>;
type Parts = AsyncGenerator<OutputPart, void>;

function headersFor({ job, output, isDownload }: OutputRequest): Headers {
  const { number, output: record } = output.attempt;
  const name = `${job.id.replaceAll(/[^\w.-]/g, '_')}.${number}.log`;
  const hasGap = record !== null && record.head + record.tail < record.bytes;
  return {
    ...TEXT_HEADERS,
    'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${name}"`,
    'x-queuectl-attempt': String(number),
    ...(hasGap && { 'x-queuectl-left-out': `${record.head}-${record.bytes - record.tail - 1}` }),
  };
}

/** Shown by a browser, it can run nothing, load nothing and be in no frame. */
export const TEXT_HEADERS: Headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

async function* startingWith(first: IteratorResult<OutputPart, void>, rest: Parts): Parts {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Nothing from byte `to` on: what came after the request is for the next one. */
async function* limited(parts: AsyncIterable<OutputPart>, to: number): Parts {
  for await (const { from, data } of parts) {
    if (from >= to) return;
    yield { from, data: data.subarray(0, to - from) };
  }
}

async function* streamParts(output: ReadableOutput, wanted: Stream): Parts {
  for await (const stretch of output.stretches()) if (stretch.stream === wanted) yield stretch;
}

/** Pulled, so that no more is read than the client takes. What is cut short ends the connection, and so looks cut short. */
function bodyOf(parts: Parts, { hangUp }: OutputRequest, promised = 0): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await parts.next().catch(() => null);
        if (next === null || (next.done && sent < promised)) return hangUp();
        if (next.done) return controller.close();
        sent += next.value.data.length;
        controller.enqueue(next.value.data);
      },
      cancel: async () => void (await parts.return()),
    },
    { highWaterMark: 0 },
  );
}

const gone = ({ job, output }: OutputRequest): QueueError =>
  new QueueError('output_gone', {
    id: job.id,
    number: output.attempt.number,
    path: output.attempt.logPath ?? '',
  });
