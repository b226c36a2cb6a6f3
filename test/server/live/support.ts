// A client of an event stream, by real HTTP: gathers events, and answers the next that a test is about.

import { until } from '../../support/until.ts';
import type { TestServer } from '../support.ts';

export interface Heard {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at is what it is about
  readonly data: any;
  readonly id: string | undefined;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** All events so far. */
  readonly events: readonly Heard[];
  /** Everything so far, comments included. */
  readonly text: () => string;
  /** The first event of this name that is like this, among those not yet answered. */
  next(event: string, isIt?: (data: Heard['data']) => boolean): Promise<Heard>;
  readonly isEnded: () => boolean;
  hangUp(): void;
}

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export async function openStream(
  t: Ending,
  { url, token }: Pick<TestServer, 'url' | 'token'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const hanging = new AbortController();
  t.after(() => hanging.abort());
  const response = await fetch(`${url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: hanging.signal,
  });
  const events: Heard[] = [];
  let [text, parsed, answered, isEnded] = ['', 0, 0, false];
  void readAll(response, (more) => {
    text += more;
    for (let end = text.indexOf('\n\n', parsed); end >= 0; end = text.indexOf('\n\n', parsed)) {
      const heard = parse(text.slice(parsed, end));
      if (heard) events.push(heard);
      parsed = end + 2;
    }
  }).finally(() => {
    isEnded = true;
  });
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    isEnded: () => isEnded,
    hangUp: () => hanging.abort(),
    next: (event, isIt = () => true) =>
      until(`the event ${event} of ${path}, after: ${text.slice(-2000)}`, () => {
        const found = events.findIndex((heard, i) => i >= answered && heard.event === event && isIt(heard.data));
        if (found < 0) return null;
        answered = found + 1;
        return events[found];
      }),
  };
}

async function readAll(response: Response, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) add(decoder.decode(chunk, { stream: true }));
  } catch {
    // hung up, or cut off
  }
}

function parse(block: string): Heard | null {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  return { event: fields.get('event') ?? 'message', data: JSON.parse(data), id: fields.get('id') };
}
