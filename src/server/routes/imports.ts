// Imports an export file. The client uploads it in parts of ordinary size, so that no request takes long. Then the
// server checks the whole file and stores it, unless the client disconnects.

import { z } from 'zod';
import { aMoment } from '../../queue/job-control.ts';
import { importFile } from '../../transfer/import.ts';
import { LineFile } from '../../transfer/line-file.ts';
import { ClientGone, LINES, type Lines, lineAnswer } from '../http/line-answer.ts';
import { bodyWithin } from '../http/read-request.ts';
import { route } from '../route.ts';
import { idPath, NO_BODY } from '../schema/parameters.ts';
import type { Upload } from '../uploads.ts';

const uploadSchema = z
  .object({
    id: z.string(),
    received: z.int().describe('Number of bytes received; the next part starts there'),
  })
  .meta({ id: 'Import' });

const toJson = ({ id, received }: Upload) => ({ id, received });

const beginImport = route({
  id: 'beginImport',
  tag: 'transfer',
  summary: 'Start uploading an export file; the upload expires after two minutes without a part',
  role: 'admin',
  isRecorded: false,
  ...NO_BODY,
  answers: { 201: { help: 'Upload created; send the parts to it', schema: uploadSchema } },
  handle: async ({ uploads, principal }) => ({ status: 201, json: toJson(uploads.begin(principal.name)) }),
});

const getImport = route({
  id: 'getImport',
  tag: 'transfer',
  summary: 'Get the number of uploaded bytes, to resume after a lost response',
  role: 'admin',
  parameters: idPath,
  answers: { 200: { help: 'Number of bytes received', schema: uploadSchema } },
  handle: async ({ uploads, principal, path }) => ({ json: toJson(uploads.get(path.id, principal.name)) }),
});

const sendImport = route({
  id: 'sendImport',
  tag: 'transfer',
  summary: 'Upload a part of the file; incomplete parts are discarded',
  role: 'admin',
  isRecorded: false,
  parameters: idPath,
  query: z.object({
    from: z.coerce.number().int().min(0).describe('Offset of the part in the file'),
  }),
  bytes: 'The next bytes of the file, up to the maximum body size',
  answers: { 200: { help: 'Number of bytes received so far', schema: uploadSchema } },
  handle: async ({ uploads, principal, path, query, request, server }) => {
    const part = bodyWithin(request, server.limits.bodyBytes);
    return { json: toJson(await uploads.receive(path.id, principal.name, query.from, part)) };
  },
});

const runImport = route({
  id: 'runImport',
  tag: 'transfer',
  summary: 'Import the uploaded file after checking all of it; existing jobs never change',
  role: 'admin',
  parameters: idPath,
  isTransfer: true,
  body: z.strictObject({
    skip_existing: z.boolean().default(false).describe('Skip jobs whose ID already exists'),
    jobs_only: z.boolean().default(false).describe('Exclude settings, limits and schedules'),
  }),
  isBodyOptional: true,
  answers: {
    200: {
      help: 'JSON lines with progress, {"doing": "checked" or "imported", "share"}, and finally {"imported": {"jobs", "attempts", "settings", "schedules", "skipped"}} or {"problem"}. If the client disconnects, imported jobs are kept',
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

/** Yields to other requests, and aborts the import if the client has disconnected. */
const progressOn =
  (lines: Lines) =>
  async (doing: string, share: number): Promise<void> => {
    lines.tell({ doing, share });
    await aMoment();
    if (lines.isGone) throw new ClientGone();
  };

const dropImport = route({
  id: 'dropImport',
  tag: 'transfer',
  summary: 'Delete an uploaded file that was not imported',
  role: 'admin',
  isRecorded: false,
  parameters: idPath,
  answers: { 204: { help: 'Deleted' } },
  handle: async ({ uploads, principal, path }) => {
    uploads.drop(path.id, principal.name);
    return { status: 204, json: null };
  },
});

export const importRoutes = [beginImport, getImport, sendImport, runImport, dropImport];
