// Loads the output of an attempt and follows it over the event stream. Only the end of a long output is loaded at
// first. The server stores the head and tail of a very long output; the part between is a gap in the lines.

import { useEffect, useRef, useState } from 'preact/hooks';
import { API, errorOf, isAborted } from '../../../core/api.ts';
import { onEvent, wantTopic } from '../../../core/live.ts';
import { itemHref } from '../../../core/router.ts';
import { Lines } from './lines.ts';

interface LoadedOutput {
  readonly lines: Lines;
  /** Grows with each change, because `lines` stays the same object. */
  readonly version: number;
  /** The first loaded byte; the beginning is missing if it is greater than 0. */
  readonly from: number;
  readonly size: number;
  readonly isLoading: boolean;
  readonly error: unknown;
}

interface OutputEvent {
  readonly id: string;
  readonly attempt: number;
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}

/** A longer output is loaded in full only on request. */
const MOST_BYTES = 2_000_000;

const EMPTY: LoadedOutput = {
  lines: new Lines(),
  version: 0,
  from: 0,
  size: 0,
  isLoading: true,
  error: null,
};

export function useOutput(id: string, attempt: number, isRunning: boolean, isWhole: boolean): LoadedOutput {
  const [output, setOutput] = useState<LoadedOutput>(EMPTY);
  const next = useRef<number | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    next.current = null;
    setOutput(EMPTY);
    load(id, attempt, isWhole ? ALL : MOST_BYTES, controller.signal).then(
      (loaded) => {
        next.current = loaded.size;
        setOutput(loaded);
      },
      (error) => !isAborted(error) && setOutput({ ...EMPTY, isLoading: false, error }),
    );
    return () => controller.abort();
  }, [id, attempt, isWhole]);

  useEffect(() => {
    if (!isRunning || output.isLoading) return;
    const take = (event: OutputEvent): void => {
      const reached = next.current;
      if (event.id !== id || event.attempt !== attempt || reached === null || event.next <= reached) return;
      next.current = event.next;
      setOutput((before) => grown(before, { ...event, text: unread(event, reached) }));
    };
    const stops = [onEvent('output', take), wantTopic(() => `output:${id}@${next.current ?? 0}`)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [id, attempt, isRunning, output.isLoading]);

  useRest(id, attempt, isRunning, next, setOutput);
  return output;
}

/** Removes the part that this tab has read. The shared stream starts at the earliest byte that any tab needs. */
const unread = ({ offset, text }: OutputEvent, reached: number): string =>
  offset >= reached ? text : new TextDecoder().decode(new TextEncoder().encode(text).subarray(reached - offset));

/** Loads the output between the last event and the end of the attempt. */
function useRest(
  id: string,
  attempt: number,
  isRunning: boolean,
  next: { current: number | null },
  setOutput: (change: (before: LoadedOutput) => LoadedOutput) => void,
): void {
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    const hasEnded = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    const from = next.current;
    if (!hasEnded || from === null) return;
    const takeRest = async (): Promise<void> => {
      for await (const { start, end, text } of piecesFrom(id, attempt, from)) {
        next.current = end;
        setOutput((before) => grown(before, { offset: start, next: end, text }));
      }
    };
    takeRest().catch(() => undefined);
  }, [id, attempt, isRunning, next, setOutput]);
}

function grown(
  before: LoadedOutput,
  { offset, next, text }: Pick<OutputEvent, 'offset' | 'next' | 'text'>,
): LoadedOutput {
  if (offset > before.size) before.lines.skip(offset - before.size);
  before.lines.add(text);
  return { ...before, size: next, version: before.version + 1 };
}

async function load(id: string, attempt: number, most: number, signal: AbortSignal): Promise<LoadedOutput> {
  let [lines, from, size] = [new Lines(), 0, 0];
  for await (const { start, end, text, isFirst } of piecesOf(id, attempt, most, signal)) {
    if (isFirst && start > 0) {
      lines = new Lines(false);
      from = start;
      lines.add(text.slice(text.indexOf('\n') + 1));
    } else {
      if (start > size) lines.skip(start - size);
      lines.add(text);
    }
    size = end;
  }
  return { lines, version: 1, from, size, isLoading: false, error: null };
}

/** A contiguous piece of the output. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isFirst: boolean;
}

/** Longer than any output. A suffix range works for empty output, unlike a range from byte 0. */
const ALL = 999_999_999_999_999;

/** Loads the last `most` bytes in pieces, up to the size at the first response. */
async function* piecesOf(id: string, attempt: number, most: number, signal?: AbortSignal): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  let range = `bytes=-${most}`;
  for (let [at, size, isFirst] = [0, 1, true]; isFirst || at < size; isFirst = false) {
    const response = await fetchOutput(id, attempt, range, signal);
    if (isFirst) size = Number(response.headers.get('x-queuectl-size') ?? 0);
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength === 0) return;
    const start = startOf(response);
    const isGap = !isFirst && start > at;
    const text = (isGap ? decoder.decode() : '') + decoder.decode(bytes, { stream: true });
    at = start + bytes.byteLength;
    yield { start, end: at, text, isFirst };
    range = `bytes=${at}-`;
  }
}

/** Loads the output from this byte. The range starts one byte earlier, because it must not be empty. */
async function* piecesFrom(id: string, attempt: number, from: number): AsyncGenerator<Piece> {
  const response = await fetchOutput(id, attempt, from > 0 ? `bytes=${from - 1}-` : `bytes=-${ALL}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const start = startOf(response);
  const fresh = bytes.subarray(Math.max(0, from - start));
  const end = start + bytes.length;
  if (fresh.length > 0)
    yield { start: Math.max(start, from), end, text: new TextDecoder().decode(fresh), isFirst: true };
  const size = Number(response.headers.get('x-queuectl-size') ?? 0);
  if (bytes.length > 0 && end > from && end < size) yield* piecesFrom(id, attempt, end);
}

const startOf = (response: Response): number =>
  Number(/bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);

async function fetchOutput(id: string, attempt: number, range: string, signal?: AbortSignal): Promise<Response> {
  const url = `${API}${itemHref('jobs', id)}/output?attempt=${attempt}`;
  const response = await fetch(url, { headers: { range }, ...(signal && { signal }) });
  if (!response.ok) throw await errorOf(response);
  return response;
}
