// The output of attempts, in chunks by their offset. Omitted output is a gap between chunks. Only the holder of a lease writes.
// PostgreSQL compresses the chunks: logs compress well, and a chunk is small enough to be read as a whole.

import { type OutputPart, recordText } from '../../job/output/output.ts';
import type { OutputReport, OutputPiece, Outputs } from '../store.ts';
import type { Lease } from '../store.ts';
import type { Connection, Result, Session } from './session/connection.ts';
import { columnsOf } from './rows.ts';

const LARGEST_CHUNK_BYTES = 256 * 1024;
const SENT_AT_ONCE_BYTES = 4 * LARGEST_CHUNK_BYTES;

/** Locks the jobs in the usual order, so that no other transaction ends or requeues the attempts meanwhile. */
const STILL_HELD = `
  SELECT seq, runs AS run FROM jobs WHERE seq = ANY($1::bigint[]) AND state = 'processing'
  ORDER BY seq FOR SHARE`;

export async function keep(session: Session, pieces: readonly OutputPiece[]): Promise<void> {
  const { rows } = await session.sql(STILL_HELD, [pieces.map(({ seq }) => seq)]);
  const held = new Set(rows.map(({ seq, run }) => `${seq}:${run}`));
  keepWith(
    session,
    pieces.filter(({ seq, run }) => held.has(`${seq}:${run}`)),
  );
}

const CUT = `
  UPDATE outputs SET data = substring(data FROM 1 FOR (given.from_byte - outputs.from_byte)::int)
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (seq, run, from_byte)
  WHERE job_seq = given.seq AND outputs.number = given.run AND outputs.from_byte < given.from_byte
    AND outputs.from_byte + length(data) > given.from_byte`;

const DROP_FROM = `
  DELETE FROM outputs USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (seq, run, from_byte)
  WHERE job_seq = given.seq AND outputs.number = given.run AND outputs.from_byte >= given.from_byte`;

const GAPS = `unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS given (seq, run, gap_from, gap_to)
  WHERE job_seq = given.seq AND outputs.number = given.run`;
/** Removes the omitted range: chunks within it, the end of the chunk before it and the start of the chunk after it. */
const LEAVE_OUT = [
  `DELETE FROM outputs USING ${GAPS} AND from_byte >= gap_from AND from_byte + length(data) <= gap_to`,
  `UPDATE outputs SET data = substring(data FROM 1 FOR (gap_from - from_byte)::int)
   FROM ${GAPS} AND from_byte < gap_from AND from_byte + length(data) BETWEEN gap_from AND gap_to`,
  `UPDATE outputs SET data = substring(data FROM (gap_to - from_byte + 1)::int), from_byte = gap_to
   FROM ${GAPS} AND from_byte BETWEEN gap_from AND gap_to - 1`,
];

const ADD = `
  INSERT INTO outputs (job_seq, number, from_byte, data)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])`;

/** For pieces whose lease is held. */
export function keepWith(session: Session, pieces: readonly OutputPiece[]): void {
  if (pieces.length === 0) return;
  const places = columnsOf(
    pieces.map(({ seq, run, from }) => [seq, run, from]),
    3,
  );
  const chunks = pieces.flatMap(chunksOf).map(({ seq, run, from, data }) => [seq, run, from, data]);
  session.send(DROP_FROM, places);
  session.send(CUT, places);
  if (chunks.length > 0) session.send(ADD, columnsOf(chunks, 4));
  const gaps = pieces.flatMap(({ seq, run, leftOut }) => (leftOut ? [[seq, run, leftOut.from, leftOut.to]] : []));
  if (gaps.length > 0) for (const statement of LEAVE_OUT) session.send(statement, columnsOf(gaps, 4));
}

/** The output that the end of an attempt adds. */
export function pieceOf({ seq, run }: Lease, output: OutputReport | undefined): OutputPiece[] {
  if (!output || (!output.part && !output.leftOut)) return [];
  const part = output.part ?? { from: output.record.bytes, data: Buffer.alloc(0) };
  return [{ seq, run, ...part, leftOut: output.leftOut }];
}

/** For attempts that have no output yet. Memory use is bounded, whatever the size of the output. */
export async function addAll(session: Session, pieces: AsyncIterable<OutputPiece>): Promise<void> {
  let held: OutputPiece[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const chunks = held.map(({ seq, run, from, data }) => [seq, run, from, data]);
    [held, bytes] = [[], 0];
    await session.sql(ADD, columnsOf(chunks, 4));
  };
  for await (const piece of pieces) {
    held.push(...chunksOf(piece));
    bytes += piece.data.length;
    if (bytes >= SENT_AT_ONCE_BYTES) await flush();
  }
  if (held.length > 0) await flush();
}

function chunksOf(piece: OutputPiece): OutputPiece[] {
  const chunks: OutputPiece[] = [];
  for (let at = 0; at < piece.data.length; at += LARGEST_CHUNK_BYTES) {
    const data = piece.data.subarray(at, at + LARGEST_CHUNK_BYTES);
    chunks.push({ seq: piece.seq, run: piece.run, from: piece.from + at, data });
  }
  return chunks;
}

/** The chunk that contains the offset, and those after it. */
const READ = `
  SELECT from_byte, data FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 AND from_byte < $3::bigint + $4::bigint
    AND from_byte >= coalesce((SELECT max(from_byte) FROM outputs
      WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 AND from_byte <= $3::bigint), 0)
  ORDER BY from_byte`;

const NEXT = `
  SELECT min(from_byte) AS from_byte FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 AND from_byte > $3::bigint`;

async function read(
  connection: Connection,
  id: string,
  run: number,
  from: number,
  length: number,
): Promise<OutputPart> {
  const { rows } = await connection.query(READ, [id, run, from, length]);
  const data = joined(rows, from, length);
  if (data.length > 0 || length === 0) return { from, data };
  const [next] = (await connection.query(NEXT, [id, run, from])).rows;
  return next?.from_byte == null ? { from, data } : read(connection, id, run, Number(next.from_byte), length);
}

/** Stops at the first gap. */
function joined(rows: Result['rows'], from: number, length: number): Buffer {
  const parts: Buffer[] = [];
  let at = from;
  for (const { from_byte, data } of rows) {
    const [start, bytes] = [Number(from_byte), data as Buffer];
    if (start > at) break;
    parts.push(bytes.subarray(at - start, from + length - start));
    at = Math.max(at, start + bytes.length);
  }
  return Buffer.concat(parts);
}

/** Computed from the last chunk, without reading its data. */
const SIZE = `
  SELECT from_byte + octet_length(data) AS size FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 ORDER BY from_byte DESC LIMIT 1`;

async function sizeOf(connection: Connection, id: string, run: number): Promise<number> {
  const [last] = (await connection.query(SIZE, [id, run])).rows;
  return Number(last?.size ?? 0);
}

const KNOWN = `
  SELECT j.seq FROM jobs j WHERE j.id = $1 AND EXISTS (
    SELECT 1 FROM attempts a WHERE a.job_seq = j.seq AND a.number = $2 AND a.ended_at IS NOT NULL) FOR UPDATE`;
const RECORD = 'UPDATE attempts SET output = $3, log_path = $4 WHERE job_seq = $1 AND number = $2';

async function record(session: Session, id: string, run: number, output: OutputReport): Promise<void> {
  const [job] = (await session.sql(KNOWN, [id, run])).rows;
  if (!job) return;
  const lease: Lease = { seq: Number(job.seq), run };
  await session.sql(RECORD, [lease.seq, run, recordText(output.record), output.logPath ?? '']);
  keepWith(session, pieceOf(lease, output));
}

export function outputsOf(connection: Connection): Outputs {
  return {
    keep: async (pieces) => {
      if (pieces.length > 0) await connection.write((session) => keep(session, pieces), { isRepeatable: true });
    },
    read: (id, run, from, length) => read(connection, id, run, from, length),
    size: (id, run) => sizeOf(connection, id, run),
    record: (id, run, output) =>
      connection.write((session) => record(session, id, run, output), { isRepeatable: true }),
  };
}
