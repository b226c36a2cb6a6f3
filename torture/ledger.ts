// What the jobs themselves say: each writes a line when it starts and one when it ends, outside of the queue.
// A job also looks whether another attempt of itself is alive at that moment, which must never be.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly kind: 'start' | 'end' | 'overlap';
  readonly jobId: string;
  readonly pid: number;
}

export class Ledger {
  private readonly path: string;
  private readonly holders: string;

  constructor(folder: string) {
    this.path = join(folder, 'ledger');
    this.holders = join(folder, 'holders');
    mkdirSync(this.holders, { recursive: true });
    appendFileSync(this.path, '');
  }

  /** A shell command that keeps the ledger around `work`. */
  command(work: string): string {
    return [
      `me=${this.holders}/$QUEUECTL_JOB_ID`,
      'if [ -f "$me" ] && read -r other < "$me" && [ "$other" != $$ ] &&',
      '  tr "\\0" "\\n" < "/proc/$other/environ" 2>/dev/null | grep -qx "QUEUECTL_JOB_ID=$QUEUECTL_JOB_ID"; then',
      `  echo "overlap $QUEUECTL_JOB_ID $$" >> ${this.path}`,
      'fi',
      'echo $$ > "$me"',
      `echo "start $QUEUECTL_JOB_ID $$" >> ${this.path}`,
      `(${work}); code=$?`,
      `echo "end $QUEUECTL_JOB_ID $$" >> ${this.path}`,
      'exit $code',
    ].join('\n');
  }

  entries(): Entry[] {
    if (!existsSync(this.path)) return [];
    const lines = readFileSync(this.path, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => {
      const [kind, jobId = '', pid] = line.split(' ');
      return { kind: kind as Entry['kind'], jobId, pid: Number(pid) };
    });
  }
}
