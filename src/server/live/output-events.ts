// Streams the output of one attempt to one client until the attempt has ended.

import type { Attempt } from '../../job/job.ts';
import type { EventProducer } from './event-stream.ts';
import type { Cursor, OutputReader, Step } from './output-reader.ts';
import { eventText, withId } from './sse.ts';

export interface OutputWish {
  /** Null for the latest attempt, or the first one if the job has not started. */
  readonly attempt: Attempt | null;
  readonly from: number;
}

export class OutputEvents implements EventProducer {
  readonly keys: readonly string[] = [];
  readonly outputs: readonly string[];
  private readonly reader: () => OutputReader;
  private readonly from: number;
  private cursor: Cursor | null;
  private isDone = false;

  constructor(jobId: string, reader: () => OutputReader, { attempt, from }: OutputWish) {
    this.outputs = [jobId];
    this.reader = reader;
    this.from = from;
    this.cursor = attempt && begin(attempt, from);
  }

  async next(): Promise<string | null> {
    if (this.isDone) return null;
    const reader = this.reader();
    this.cursor ??= await this.firstOf(reader);
    const step = this.cursor && (await reader.step(this.cursor));
    if (!step) return '';
    this.cursor = step.next;
    this.isDone = step.text === null;
    return withId(textOf(step), `${step.next.offset}${this.isDone ? 'e' : ''}`);
  }

  private async firstOf(reader: OutputReader): Promise<Cursor | null> {
    const attempt = await reader.newestAttempt();
    return attempt && begin(attempt, this.from);
  }
}

const begin = ({ run }: Attempt, offset: number): Cursor => ({ run, offset, isEnded: false });

function textOf({ attempt, text, next }: Step): string {
  if (text !== null) return `data: ${JSON.stringify({ offset: text.offset, next: next.offset, text: text.text })}\n`;
  const { number, outcome, exitCode, signal } = attempt;
  return eventText('end', {
    attempt: number,
    offset: next.offset,
    outcome,
    exit_code: exitCode,
    signal,
  });
}
