// A file of an export on its way into the queue. It comes in parts that are bodies like others, so that no connection has to
// last; then it is checked whole and stored, which goes on for as long as the client listens.

import { z } from 'zod';
import { aMoment } from '../../queue/job-control.ts';
import { importFile } from '../../transfer/import.ts';
import { LineFile } from '../../transfer/line-file.ts';
import { ClientGone, LINES, type Lines, lineAnswer } from '../http/line-answer.ts';
import { bodyWithin } from '../http/read-request.ts';
import { route } from '../route.ts';
import { nothing } from '../schema/parameters.ts';
import type { Upload } from '../uploads.ts';

const importPath = z.object({ id: z.string().min(1).max(128) });

const uploadSchema = z
  .object({
    id: z.string(),
    received: z
      .int()
      .meta({ description: 'How many bytes of the file have arrived; the next part begins there' }),
  })
  .meta({ id: 'Import' });

const toJson = ({ id, received }: Upload) => ({ id, received });

const beginImport = route({
  id: 'beginImport',
  tag: 'transfer',
  summary: 'Begin to send a file of an export; it is forgotten when no part comes for two minutes',
  role: 'admin',
  isRecorded: false,
  body: nothing,
  isBodyOptional: true,
  answers: { 201: { means: 'Send its parts to it', schema: uploadSchema } },
  handle: async ({ uploads, principal }) => ({ status: 201, json: toJson(uploads.begin(principal.name)) }),
});

const getImport = route({
  id: 'getImport',
  tag: 'transfer',
  summary: 'How much of a file is here, when an answer was lost',
  role: 'admin',
  parameters: importPath,
  answers: { 200: { means: 'How much there is', schema: uploadSchema } },
  handle: async ({ uploads, principal, path }) => ({ json: toJson(uploads.get(path.id, principal.name)) }),
});

const sendImport = route({
  id: 'sendImport',
  tag: 'transfer',
  summary: 'A part of the file; it counts when all of it has come',
  role: 'admin',
  isRecorded: false,
  parameters: importPath,
  query: z.object({
    from: z.coerce.number().int().min(0).meta({ description: 'Its first byte in the file' }),
  }),
  bytes: 'The next bytes of the file, as many as a body can have',
  answers: { 200: { means: 'How much there is now', schema: uploadSchema } },
  handle: async ({ uploads, principal, path, query, request, server }) => {
    const part = bodyWithin(request, server.limits.bodyBytes);
    return { json: toJson(await uploads.receive(path.id, principal.name, query.from, part)) };
  },
});

const runImport = route({
  id: 'runImport',
  tag: 'transfer',
  summary: 'Import the file that was sent: it is checked whole first, and nothing that is there is changed',
  role: 'admin',
  parameters: importPath,
  isTransfer: true,
  body: z.strictObject({
    skip_existing: z.boolean().default(false).meta({ description: 'Leave out jobs whose id is taken' }),
    jobs_only: z.boolean().default(false).meta({ description: 'No settings, limits and schedules' }),
  }),
  isBodyOptional: true,
  answers: {
    200: {
      means:
        'Lines of JSON: {"doing": "checked" or "imported", "share"} now and then, in the end {"imported": {"jobs", "attempts", "settings", "schedules", "skipped"}} or {"problem"}. When the client hangs up, what was imported stays',
      contentType: LINES,
      schema: z.string(),
    },
  },
  handle: async ({ queue, uploads, principal, path, body, server }) => {
    const file = new LineFile(uploads.take(path.id, principal.name));
    const options = { skipExisting: body.skip_existing, jobsOnly: body.jobs_only };
    return lineAnswer(async (lines) => {
      const imported = await importFile(queue, file, 'the file', options, progressOn(lines));
      await lines.write(`${JSON.stringify({ imported })}\n`);
    }, server.log);
  },
});

/** Others have their turn in between; and nobody imports on for somebody who has gone. */
const progressOn =
  (lines: Lines) =>
  async (doing: string, share: number): Promise<void> => {
    lines.tell({ doing, share });
    await aMoment();
    if (lines.isGone) throw new ClientGone('the client that asked for it has gone');
  };

const dropImport = route({
  id: 'dropImport',
  tag: 'transfer',
  summary: 'Forget a file that was sent and not imported',
  role: 'admin',
  isRecorded: false,
  parameters: importPath,
  answers: { 204: { means: 'It is gone' } },
  handle: async ({ uploads, principal, path }) => {
    uploads.drop(path.id, principal.name);
    return { status: 204, json: null };
  },
});

export const importRoutes = [beginImport, getImport, sendImport, runImport, dropImport];
