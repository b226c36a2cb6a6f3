// Returns the end of a job's output as bounded text, separate from the other fields.

import { z } from 'zod';
import { attemptToJson } from '../job/wire.ts';
import { lastLines } from '../output/last-lines.ts';
import type { ReadableOutput } from '../output/readable-output.ts';
import { unlistedRoute } from '../server/route.ts';
import { chosenAttempt } from '../server/routes/output.ts';
import { jobIdPath } from '../server/schema/parameters.ts';

const MOST_BYTES = 65_536;

export const readLogs = unlistedRoute({
  method: 'get',
  path: '/tools/logs/{id}',
  id: 'readLogs',
  summary: 'Get the last lines of a job’s stdout and stderr, at most 64 KiB',
  role: 'viewer',
  answers: {},
  parameters: jobIdPath,
  query: z.object({
    lines: z.number().int().min(1).max(1000).default(100),
    attempt: z.number().int().min(1).optional().describe('Default: the latest'),
  }),
  handle: async ({ queue, path, query }) => {
    const job = await queue.find(path.id);
    const attempt = await chosenAttempt(queue, job, query);
    if (!attempt) return { json: { id: job.id, state: job.state, attempt: null, output: '', is_cut: false } };
    const output = await tailOf(await queue.outputOf(job, attempt), query.lines);
    return { json: { id: job.id, state: job.state, attempt: attemptToJson(attempt), ...output } };
  },
});

async function tailOf(output: ReadableOutput, lines: number) {
  const [shown] = await lastLines([output], lines, { raw: true, timestamps: false, stream: null });
  const size = await output.size();
  const from = Math.max(shown?.from ?? size, size - MOST_BYTES);
  const parts: Uint8Array[] = [];
  for await (const part of output.parts(from)) {
    parts.push(Uint8Array.from(part.data));
    if (part.from + part.data.length >= size) break; // later output belongs to the next call
  }
  const bytes = Buffer.concat(parts).subarray(0, MOST_BYTES);
  return { output: textOf(bytes), output_bytes: size, is_cut: from > 0 };
}

/** Starts at the first complete character. */
function textOf(bytes: Buffer): string {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(Math.max(0, start)).toString();
}
