// The log of faults: one line each, with the time first, as in the logs of workers and guards.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds a line about the current fault. */
export type Note = (line: string) => void;

export class Diary {
  private readonly path: string;
  private faults = 0;

  constructor(folder: string) {
    this.path = join(folder, 'faults.log');
    appendFileSync(this.path, '');
  }

  /** Records the start of a fault, its notes, and its end. */
  async record(name: string, fault: (note: Note) => Promise<void> | undefined): Promise<void> {
    const number = ++this.faults;
    const note: Note = (line) => this.write(`fault ${number}, ${name}: ${line}`);
    note('begins');
    try {
      await fault(note);
    } finally {
      note('ends');
    }
  }

  /** Records anything else that helps to understand the run. */
  tell(line: string): void {
    this.write(line);
  }

  private write(line: string): void {
    appendFileSync(this.path, `${new Date().toISOString()}  ${line}\n`);
  }
}
