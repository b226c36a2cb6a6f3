// The output of one attempt: what is there is loaded, and what is written from then on comes over the page's stream. Of a
// long one the end is loaded first.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, isAborted } from '../../../core/api.ts';
import { onEvent, wantTopic } from '../../../core/live.ts';
import { Lines } from './lines.ts';

export interface LoadedOutput {
  readonly lines: Lines;
  /** Grows with each change of the lines, which are the same object. */
  readonly version: number;
  /** The first byte that is here; more than 0: the beginning is left out. */
  readonly from: number;
  readonly size: number;
  readonly isLoading: boolean;
  readonly error: unknown;
}

interface Told {
  readonly id: string;
  readonly attempt: number;
  readonly offset: number;
  readonly next: number;
  readonly text: string;
}

/** More than this of an output is loaded only when asked for. */
export const MOST_BYTES = 2_000_000;

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
    load(id, attempt, isWhole, controller.signal).then(
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
    const take = (told: Told): void => {
      const reached = next.current;
      if (told.id !== id || told.attempt !== attempt || reached === null || told.next <= reached) return;
      next.current = told.next;
      setOutput((before) => grown(before, { ...told, text: unread(told, reached) }));
    };
    const stops = [onEvent('output', take), wantTopic(() => `output:${id}@${next.current ?? 0}`)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [id, attempt, isRunning, output.isLoading]);

  useRest(id, attempt, isRunning, next, setOutput);
  return output;
}

/** Tabs share a stream, which begins where the last of them is: the others have read a part of its text. */
const unread = ({ offset, text }: Told, reached: number): string =>
  offset >= reached
    ? text
    : new TextDecoder().decode(new TextEncoder().encode(text).subarray(reached - offset));

/** When the attempt has ended, whatever came between the last event and the end is fetched. */
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
    fetchOutput(id, attempt, `bytes=${from}-`)
      .then(async ({ response }) => {
        if (response.status !== 206) return;
        const text = new TextDecoder().decode(await response.arrayBuffer());
        setOutput((before) => grown(before, { offset: from, next: from + text.length, text }));
      })
      .catch(() => undefined);
  }, [id, attempt, isRunning, next, setOutput]);
}

function grown(before: LoadedOutput, { next, text }: Pick<Told, 'offset' | 'next' | 'text'>): LoadedOutput {
  before.lines.add(text);
  return { ...before, size: next, version: before.version + 1 };
}

async function load(
  id: string,
  attempt: number,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<LoadedOutput> {
  const { response, size } = await fetchOutput(
    id,
    attempt,
    isWhole ? 'bytes=0-' : `bytes=-${MOST_BYTES}`,
    signal,
  );
  const bytes = await response.arrayBuffer();
  const from = startOf(response);
  const lines = new Lines();
  const text = new TextDecoder().decode(bytes);
  lines.add(from > 0 ? text.slice(text.indexOf('\n') + 1) : text);
  return {
    lines,
    version: 1,
    from,
    size: Math.max(size, from + bytes.byteLength),
    isLoading: false,
    error: null,
  };
}

const startOf = (response: Response): number =>
  Number(/bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);

async function fetchOutput(id: string, attempt: number, range: string, signal?: AbortSignal) {
  const path = `/api/v1/jobs/${encodeURIComponent(id)}/output?attempt=${attempt}`;
  const response = await fetch(path, { headers: { range }, ...(signal && { signal }) });
  const size = Number(response.headers.get('x-queuectl-size') ?? 0);
  if (response.ok) return { response, size };
  if (response.status === 416) return { response: new Response(''), size }; // nothing was written yet
  const { detail, code, hint } = await response.json().catch(() => ({}));
  throw new ApiError(
    response.status,
    code ?? 'unknown',
    detail ?? 'The output could not be loaded.',
    hint ?? null,
  );
}
