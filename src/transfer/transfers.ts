// Exports and imports for a local store.

import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Transfers } from '../queue/interface.ts';
import type { Queue } from '../queue/queue.ts';
import { exportQueue } from './export.ts';
import { importFile } from './import.ts';
import { LineFile } from './line-file.ts';

export const transfersOf = (queue: Queue): Transfers => ({
  export: (wanted, write, progress) => exportQueue(queue, wanted, write, progress),
  import: async (path, options, progress) => {
    const spool = path === null ? await spooled() : null;
    try {
      const file = new LineFile(spool?.path ?? path ?? '');
      return await importFile(queue, file, path ?? 'stdin', options, progress);
    } finally {
      spool?.remove();
    }
  },
});

/** Copies stdin to a file, because an import reads it twice: to check it and to store it. */
async function spooled(): Promise<{ path: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'queuectl-import-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'lines');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
