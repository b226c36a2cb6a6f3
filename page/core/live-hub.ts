// One event stream for all tabs. Browsers allow six connections per server, so a stream per tab would use them up. The
// hub runs in a shared worker; each tab sends its topics.

type HubState = 'live' | 'lost';

/**
 * A message from a tab. `number` counts the tab's messages; the hub confirms the latest. No topics means the tab left.
 */
export interface Subscription {
  readonly number: number;
  readonly topics: readonly string[];
}

export type Message =
  | { readonly kind: 'state'; readonly state: HubState; readonly number: number }
  | { readonly kind: 'event'; readonly name: string; readonly data: string };

/** Names of the stream's events. */
export const EVENTS = ['stats', 'job', 'gone', 'changed', 'output', 'output_end', 'trouble'] as const;

type Port = Pick<MessagePort, 'postMessage' | 'onmessage' | 'addEventListener'>;

const RETRY_MS = 2000;
/** Opening a screen changes several topics at once. */
const GATHER_MS = 50;
const NO_TROUBLE = 'null';

/** A tab with its topics, and the next byte it needs of each output. */
interface Tab {
  readonly number: number;
  readonly topics: Map<string, number>;
  /** Whether the stream covers all topics. */
  isConfirmed: boolean;
}

export class LiveHub {
  private readonly tabs = new Map<Port, Tab>();
  /** The open stream and its topics with the next byte of outputs. */
  private source: EventSource | null = null;
  private covered = new Map<string, number>();
  /** A connecting stream with new topics that will replace `source`. */
  private next: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLost = false;
  /** Sent to tabs that connect later. */
  private trouble = NO_TROUBLE;

  add(port: Port): void {
    port.onmessage = ({ data }: MessageEvent<Subscription>) => this.subscribe(port, data);
    port.addEventListener('close', () => this.leave(port)); // not in all browsers: tabs also send a message
  }

  private subscribe(port: Port, { number, topics }: Subscription): void {
    if (topics.length === 0) {
      this.leave(port);
      return;
    }
    this.tabs.set(port, { number, topics: new Map(topics.map(topicOf)), isConfirmed: false });
    if (this.isLost) {
      this.sendState(port, 'lost');
      return;
    }
    if (this.source) this.confirm();
    if (this.hasUnconfirmed()) this.openIn(GATHER_MS);
  }

  private leave(port: Port): void {
    this.tabs.delete(port);
    if (this.tabs.size > 0) return;
    this.close();
    this.isLost = false;
  }

  private openIn(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), delayMs);
  }

  /** The previous stream stays open until the new one is connected, so that no event is missed. */
  private open(): void {
    this.next?.close();
    const wanted = this.wanted();
    const topics = [...wanted].map(([name, from]) => (isOutput(name) ? `${name}@${from}` : name)).join();
    const source = new EventSource(`/api/v1/events?topics=${encodeURIComponent(topics)}`);
    this.next = source;
    source.onopen = () => this.arrive(source, wanted);
    source.onerror = () => this.lose();
    for (const name of EVENTS) source.addEventListener(name, ({ data }) => this.forward(name, data));
  }

  /** If several tabs follow an output, the earliest byte that any of them needs. */
  private wanted(): Map<string, number> {
    const wanted = new Map<string, number>();
    for (const { topics } of this.tabs.values())
      for (const [name, from] of topics) wanted.set(name, Math.min(from, wanted.get(name) ?? Number.POSITIVE_INFINITY));
    return wanted;
  }

  private arrive(source: EventSource, covered: Map<string, number>): void {
    this.source?.close();
    [this.source, this.next, this.covered, this.isLost] = [source, null, covered, false];
    if (this.trouble !== NO_TROUBLE) this.forward('trouble', NO_TROUBLE); // a new stream starts with the current trouble
    for (const tab of this.tabs.values()) tab.isConfirmed = false;
    this.confirm();
    if (this.hasUnconfirmed()) this.openIn(GATHER_MS);
  }

  /**
   * Confirms the tabs that the stream covers. The stream does not repeat bytes of an output that it has already sent.
   */
  private confirm(): void {
    for (const [port, tab] of this.tabs) {
      const isCovered = ([name, from]: [string, number]): boolean =>
        (this.covered.get(name) ?? Number.POSITIVE_INFINITY) <= from;
      if (tab.isConfirmed || ![...tab.topics].every(isCovered)) continue;
      tab.isConfirmed = true;
      this.sendState(port, 'live');
      if (this.trouble !== NO_TROUBLE) this.send(port, 'trouble', this.trouble);
    }
  }

  private hasUnconfirmed(): boolean {
    return [...this.tabs.values()].some(({ isConfirmed }) => !isConfirmed);
  }

  /** Browsers reconnect after a broken connection, but not after an error response. */
  private lose(): void {
    this.close();
    this.isLost = true;
    for (const [port, tab] of this.tabs) {
      tab.isConfirmed = false;
      this.sendState(port, 'lost');
    }
    this.openIn(RETRY_MS);
  }

  private close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.next?.close();
    this.source = this.next = null;
    this.covered = new Map();
  }

  private forward(name: string, data: string): void {
    for (const port of this.tabs.keys()) this.send(port, name, data);
    if (name === 'trouble') this.trouble = data || NO_TROUBLE;
    if (name === 'output') this.advance(JSON.parse(data));
  }

  private advance({ id, next }: { id: string; next: number }): void {
    const name = `output:${id}`;
    if (this.covered.has(name)) this.covered.set(name, next);
    for (const { isConfirmed, topics } of this.tabs.values())
      if (isConfirmed && topics.has(name)) topics.set(name, next);
  }

  private send(port: Port, name: string, data: string): void {
    port.postMessage({ kind: 'event', name, data } satisfies Message);
  }

  private sendState(port: Port, state: HubState): void {
    const number = this.tabs.get(port)?.number ?? 0;
    port.postMessage({ kind: 'state', state, number } satisfies Message);
  }
}

const isOutput = (name: string): boolean => name.startsWith('output:');

/** Splits 'output:ID@BYTE' into topic and byte; other topics have no byte. */
function topicOf(topic: string): readonly [name: string, from: number] {
  const [name = '', from = '0'] = topic.split('@');
  return [name, Number(from)];
}
