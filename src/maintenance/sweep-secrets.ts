// Removing files with secrets that a worker could not remove, because it is gone. Their folder names the worker.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

export const secretsFolder = (run: string): string => join(run, 'secrets');

/** No worker has a dot in its id. */
export const folderOfAttempt = (run: string, workerId: string, lease: { seq: number; run: number }): string =>
  join(secretsFolder(run), `${workerId}.${lease.seq}.${lease.run}`);

export class SweepSecrets implements Chore {
  readonly name = 'sweep secrets';
  readonly everyMs = 10_000;
  private readonly store: Store;
  private readonly folder: string;

  constructor(store: Store, run: string) {
    this.store = store;
    this.folder = secretsFolder(run);
  }

  async runOnce(): Promise<number> {
    const found = this.found();
    if (found.length === 0) return 0;
    const there = new Set((await this.store.workers()).map(({ id }) => id));
    const left = found.filter((name) => !there.has(name.split('.')[0] ?? ''));
    for (const name of left) rmSync(join(this.folder, name), { recursive: true, force: true });
    return left.length;
  }

  private found(): string[] {
    try {
      return readdirSync(this.folder);
    } catch {
      return [];
    }
  }
}
