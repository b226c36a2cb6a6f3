// Saves the output of an attempt whose worker was lost, if its files are on this host.

import { rmSync } from 'node:fs';
import { KEPT_IN_STORE_BYTES, keptParts, NO_OUTPUT, type OutputPart } from '../job/output/output.ts';
import { removeAttemptFiles } from '../process/output/attempt-files.ts';
import { type Available, availableIn, stampsIn, readJournal, removeJournal } from '../process/output/journal-files.ts';
import { stampsWithin, type Readable, writeLog } from '../process/output/log-file.ts';
import { endLine, startLine } from '../process/output/log-lines.ts';
import type { OutputReport, Outputs } from '../store/store.ts';
import type { Lease, Rescued, Store } from '../store/store.ts';

const COPY_BYTES = 1_048_576;

/** Copies the rest of the output before the lease is taken away. */
export async function copyJournal(outputs: Outputs, lease: Lease, path: string): Promise<void> {
  const { seq, run } = lease;
  for (let at = 0; ; ) {
    const part = readJournal(path, at, COPY_BYTES);
    if (part === null || part.data.length === 0) return;
    await outputs.keep([{ seq, run, ...part }]);
    at = part.from + part.data.length;
  }
}

export async function recordLost(store: Store, { jobId, run, logPath }: Rescued, limit: number): Promise<void> {
  if (logPath !== null) removeAttemptFiles(logPath);
  const available = logPath === null ? null : availableIn(logPath);
  if (logPath === null || available === null) return;
  const output = store.spansHosts
    ? inStore(available, logPath, limit)
    : await onThisHost(store, jobId, run, available, logPath, limit);
  await store.outputs.record(jobId, run, output);
  removeJournal(logPath);
}

/** The store already has all of it. */
function inStore(available: Available, path: string, limit: number): OutputReport {
  const record = { ...NO_OUTPUT, bytes: available.bytes, ...keptParts(available, limit) };
  return { record: { ...record, stamps: stampsWithin(stampsIn(path), record) }, part: null, logPath: null };
}

async function onThisHost(
  store: Store,
  jobId: string,
  run: number,
  available: Available,
  path: string,
  limit: number,
): Promise<OutputReport> {
  const read = (from: number, length: number): OutputPart =>
    readJournal(path, from, length) ?? { from, data: Buffer.alloc(0) };
  const isWhole = keptParts(available, limit).head === available.bytes;
  if (isWhole && available.bytes <= KEPT_IN_STORE_BYTES)
    return { ...inStore(available, path, limit), part: read(0, available.bytes) };
  rmSync(path, { force: true }); // a worker wrongly considered lost may have begun it
  const record = writeLog(path, { available, read } satisfies Readable, await linesOf(store, jobId, run), limit);
  return { record: { ...record, stamps: stampsWithin(stampsIn(path), record) }, part: null, logPath: path };
}

async function linesOf(store: Store, jobId: string, run: number): Promise<{ start: string; end: string }> {
  const attempt = (await store.history(jobId)).find((one) => one.run === run);
  const { number = 0, startedAt = 0, endedAt = 0 } = attempt ?? {};
  const command = (await store.get(jobId))?.command ?? '';
  return {
    start: startLine({ number, run, command, startedAt }),
    end: endLine({ at: endedAt ?? 0, how: 'worker lost' }),
  };
}
