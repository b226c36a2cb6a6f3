// Assembles the events of one client: the latest state of each topic that differs from the state sent before.

import type { Board, Snapshot } from './board.ts';
import { bulkKey, jobKey, LISTS, STATS } from './board.ts';
import type { EventProducer } from './event-stream.ts';
import type { Cursor, OutputReader, Step } from './output-reader.ts';
import { eventId, sentBefore } from './resume.ts';
import { eventText, withId } from './sse.ts';
import type { Topic } from './topics.ts';

/** Maximum size of one batch; the remaining events wait until the client has read it. */
const ENOUGH_CHARACTERS = 65_536;

export interface PageSources {
  readonly board: Pick<Board, 'get'>;
  readonly trouble: () => Snapshot;
  readonly output: (id: string) => OutputReader;
}

export interface PageWish {
  readonly topics: readonly Topic[];
  readonly show: { readonly env: boolean };
  readonly lastEventId: string | null;
}

type OutputTopic = Extract<Topic, { kind: 'output' }>;

export class PageEvents implements EventProducer {
  readonly keys: readonly string[];
  readonly outputs: readonly string[];
  private readonly sources: PageSources;
  private readonly wish: PageWish;
  private readonly names: string;
  private readonly sent: string[];
  private sentTrouble = '';
  /** Index of the next topic, so that a busy topic cannot delay the others. */
  private turn = 0;

  constructor(sources: PageSources, wish: PageWish) {
    this.sources = sources;
    this.wish = wish;
    this.names = wish.topics.map((topic) => `${topic.kind}:${'id' in topic ? topic.id : ''}`).join();
    this.sent = sentBefore(this.names, wish.topics.length, wish.lastEventId);
    this.keys = wish.topics.flatMap((topic) => (topic.kind === 'output' ? [] : [this.keyOf(topic)]));
    this.outputs = wish.topics.flatMap((topic) => (topic.kind === 'output' ? [topic.id] : []));
  }

  async next(): Promise<string> {
    let text = this.nextTrouble();
    for (const _ of this.wish.topics) {
      text += await this.nextOf(this.turn);
      this.turn = (this.turn + 1) % this.wish.topics.length;
      if (text.length > ENOUGH_CHARACTERS) break;
    }
    return text;
  }

  private async nextOf(i: number): Promise<string> {
    const topic = this.wish.topics[i];
    if (!topic) return '';
    return topic.kind === 'output' ? this.nextOutput(i, topic) : this.nextSnapshot(i, topic);
  }

  private nextTrouble(): string {
    const { token, event } = this.sources.trouble();
    if (token === this.sentTrouble) return '';
    this.sentTrouble = token;
    return withId(event, this.id);
  }

  private nextSnapshot(i: number, topic: Topic): string {
    const snapshot = this.sources.board.get(this.keyOf(topic));
    if (!snapshot || snapshot.token === this.sent[i]) return '';
    this.sent[i] = snapshot.token;
    return withId(snapshot.event, this.id);
  }

  private async nextOutput(i: number, { id, from }: OutputTopic): Promise<string> {
    const reader = this.sources.output(id);
    const cursor = cursorOf(this.sent[i] ?? '') ?? (await reader.start(from));
    const step = cursor && (await reader.step(cursor));
    if (!step) return '';
    this.sent[i] = tokenOf(step.next);
    return withId(outputEvent(id, step), this.id);
  }

  private get id(): string {
    return eventId(this.names, this.sent);
  }

  private keyOf(topic: Topic): string {
    if (topic.kind === 'job') return jobKey(topic.id, this.wish.show);
    if (topic.kind === 'bulk') return bulkKey(topic.id);
    return topic.kind === 'stats' ? STATS : LISTS;
  }
}

function outputEvent(id: string, { attempt, text, next }: Step): string {
  const about = { id, attempt: attempt.number, run: attempt.run };
  return text === null
    ? eventText('output_end', { ...about, offset: next.offset, outcome: attempt.outcome })
    : eventText('output', { ...about, offset: text.offset, next: next.offset, text: text.text });
}

const tokenOf = ({ run, offset, isEnded }: Cursor): string => `${run}.${offset}${isEnded ? 'e' : ''}`;

function cursorOf(token: string): Cursor | null {
  const [, run, offset, end] = /^(\d{1,9})\.(\d{1,15})(e?)$/.exec(token) ?? [];
  if (run === undefined || offset === undefined) return null;
  return { run: Number(run), offset: Number(offset), isEnded: end === 'e' };
}
