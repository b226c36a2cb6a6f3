// Exports and imports over HTTP. Lines of an export are written as they arrive. A file for an import is uploaded in
// parts, which can be repeated after a lost response; the server checks and stores the file when it is complete.

import { createReadStream, statSync } from 'node:fs';
import { QueueError } from '../errors/errors.ts';
import type { Transfers } from '../queue/interface.ts';
import type { Exported, Out, Wanted } from '../transfer/export.ts';
import type { Imported, ImportOptions, ImportProgress } from '../transfer/import.ts';
import { isUnreachable, type RemoteCaller } from './remote-caller.ts';

/** Half of the maximum body, so that even a slow connection sends it within a minute. */
const PART_BYTES = 4 * 1024 * 1024;
const TRIES = 5;
const PROGRESS_EVERY = 500;

export const remoteTransfers = (caller: RemoteCaller): Transfers => ({
  export: (wanted, write, progress) => exportFrom(caller, wanted, write, progress),
  /** Stdin is sent as it arrives, because only the server has to read it twice. */
  import: async (path, options, progress) => {
    const bytes = path === null ? process.stdin : createReadStream(path);
    try {
      const id = await send(caller, bytes, path === null ? null : statSync(path).size, progress);
      return await run(caller, id, options, progress);
    } catch (error) {
      if (!(error instanceof QueueError) || error.code !== 'invalid_export') throw error;
      throw new QueueError('invalid_export', { ...error.details, path: path ?? 'stdin' }, { cause: error });
    }
  },
});

async function exportFrom(
  caller: RemoteCaller,
  { history, outputs, filter }: Wanted,
  write: Out,
  progress: (jobs: number) => void,
): Promise<Exported> {
  const wish = {
    history: `${history}`,
    outputs: `${outputs}`,
    state: filter?.states?.join(','),
    queue: filter?.queue as string | undefined,
    group: filter?.group as string | undefined,
  } as const;
  let [jobs, last] = [0, ''];
  for await (const line of caller.exportLines(wish)) {
    await write(`${line}\n`);
    if (line.startsWith('{"job"') && ++jobs % PROGRESS_EVERY === 0) progress(jobs);
    last = line;
  }
  return (JSON.parse(last) as { end: Exported }).end;
}

/** Returns the ID of the upload. */
async function send(
  caller: RemoteCaller,
  bytes: AsyncIterable<Uint8Array>,
  size: number | null,
  progress: ImportProgress,
): Promise<string> {
  const { id } = await caller.call('beginImport', {});
  let from = 0;
  try {
    for await (const part of partsOf(bytes)) {
      await sendPart(caller, id, from, part);
      from += part.length;
      if (size) await progress('sent', Math.min(1, from / size));
    }
    return id;
  } catch (error) {
    await caller.call('dropImport', { id }).catch(() => {});
    throw error;
  }
}

async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [gathered, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(gathered);
    [gathered, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

/** After a lost response, asks the server whether it has received the part. */
async function sendPart(caller: RemoteCaller, id: string, from: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await caller.call('sendImport', { id, from }, undefined, { bytes });
      return;
    } catch (error) {
      if (!isUnreachable(error) || tries === TRIES) throw error;
    }
    const { received } = await caller.call('getImport', { id });
    if (received > from) return;
  }
}

interface Progress {
  readonly doing?: 'checked' | 'imported';
  readonly share?: number;
  readonly imported?: Imported;
}

async function run(
  caller: RemoteCaller,
  id: string,
  { skipExisting, jobsOnly }: ImportOptions,
  progress: ImportProgress,
): Promise<Imported> {
  const body = { skip_existing: skipExisting, jobs_only: jobsOnly };
  try {
    for await (const told of caller.lines<Progress>('runImport', { id }, body)) {
      if (told.imported) return told.imported;
      await progress(told.doing ?? 'checked', told.share ?? 0);
    }
    throw caller.lost();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const problem = (error as Error).message;
    throw new QueueError('import_incomplete', { jobs: 'some', problem }, { cause: error });
  }
}
