// Returns the output of an attempt, unchanged and at the speed of the client. Browsers must treat it as plain text,
// because the users who enqueue jobs control its content.

import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import type { OutputPart } from '../../job/output/output.ts';
import { MERGED, type Stream } from '../../job/output/output-stamps.ts';
import type { ReadableOutput } from '../../output/readable-output.ts';
import { type ByteRange, rangeOf } from './byte-range.ts';

interface OutputRequest {
  readonly job: Job;
  readonly output: ReadableOutput;
  /** One stream of a job with split_output; MERGED for both. */
  readonly stream: Stream;
  readonly isDownload: boolean;
  /** The Range header; null for the whole output. */
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

/** If the middle was dropped, head and tail follow each other. */
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

/** If the range includes dropped bytes, returns its first stored piece, as Content-Range shows. */
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

/** The stored output of a running attempt may change, so only the bytes already read are declared. */
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

/** Browsers neither execute nor embed it, and it cannot load anything. */
export const TEXT_HEADERS: Headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

async function* startingWith(first: IteratorResult<OutputPart, void>, rest: Parts): Parts {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Omits bytes from `to` on, because later output belongs to the next request. */
async function* limited(parts: AsyncIterable<OutputPart>, to: number): Parts {
  for await (const { from, data } of parts) {
    if (from >= to) return;
    yield { from, data: data.subarray(0, to - from) };
  }
}

async function* streamParts(output: ReadableOutput, wanted: Stream): Parts {
  for await (const stretch of output.stretches()) if (stretch.stream === wanted) yield stretch;
}

/** Reads at the speed of the client. Closes the connection if output is missing, so that the client notices. */
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
