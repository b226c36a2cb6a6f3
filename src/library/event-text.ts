// Parses server-sent events as the server writes them: data is one line of JSON.

export interface StreamedEvent {
  /** 'message' by default. */
  readonly type: string;
  readonly data: unknown;
  readonly id: string | null;
}

/** Stops at the signal. Calls `watch` before each read, and the returned function when data has arrived. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  watch: () => () => void,
): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', leave);
  let rest = '';
  try {
    for (;;) {
      const heard = watch();
      const { done, value } = await reader.read().finally(heard);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield* eventOf(block);
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await reader.cancel().catch(() => {});
  }
}

/** Ignores comments and retry times. */
function eventOf(block: string): StreamedEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return [];
  return [{ type: fields.get('event') ?? 'message', data: JSON.parse(data), id: fields.get('id') ?? null }];
}
