// Reads an attempt's output from an export file on demand, never holding it in memory.

import type { OutputPart, OutputRecord } from '../job/output/output.ts';
import { recordOf } from '../job/output/output.ts';
import type { MovedOutput } from '../output/relocate.ts';
import type { LineFile } from './line-file.ts';

export interface OutputLines {
  readonly from: number;
  readonly to: number;
  /** Number of kept bytes. */
  readonly bytes: number;
}

export class ImportedOutput implements MovedOutput {
  readonly attempt: { readonly output: OutputRecord | null };
  private readonly file: LineFile;
  private readonly lines: OutputLines;

  constructor(file: LineFile, record: unknown, lines: OutputLines) {
    this.file = file;
    this.lines = lines;
    this.attempt = { output: recordOf(record === null || record === undefined ? null : String(record)) };
  }

  get isPlainText(): boolean {
    return this.attempt.output === null;
  }

  async size(): Promise<number> {
    return this.lines.bytes;
  }

  async *parts(): AsyncGenerator<OutputPart> {
    for (const { text } of this.file.lines(this.lines.from, this.lines.to)) {
      const { from, output } = JSON.parse(text) as { from: number; output: string };
      yield { from, data: Buffer.from(output, 'base64') };
    }
  }
}
