// Copies of the attempts' logs, in chunks that lie one behind the other. Only the holder of a lease writes.
// Chunks are left to PostgreSQL's own compression: logs shrink well, and a chunk is small enough to be read whole.

import type { Lease, OutputPiece, Outputs } from '../store.ts';
import type { Connection, Result, Session } from './connection.ts';
import { columnsOf } from './rows.ts';

const LARGEST_CHUNK_BYTES = 256 * 1024;
const SENT_AT_ONCE_BYTES = 4 * LARGEST_CHUNK_BYTES;

/** Locked, in the order of all locks, so that nobody ends or takes back the attempt meanwhile. */
const STILL_HELD = `
  SELECT seq, runs AS number FROM jobs WHERE seq = ANY($1::bigint[]) AND state = 'processing'
  ORDER BY seq FOR SHARE`;

export async function keep(session: Session, pieces: readonly OutputPiece[]): Promise<void> {
  const { rows } = await session.sql(STILL_HELD, [pieces.map(({ seq }) => seq)]);
  const held = new Set(rows.map(({ seq, number }) => `${seq}:${number}`));
  keepWith(
    session,
    pieces.filter(({ seq, number }) => held.has(`${seq}:${number}`)),
  );
}

const CUT = `
  UPDATE outputs SET data = substring(data FROM 1 FOR (given.from_byte - outputs.from_byte)::int)
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (seq, number, from_byte)
  WHERE job_seq = given.seq AND outputs.number = given.number AND outputs.from_byte < given.from_byte
    AND outputs.from_byte + length(data) > given.from_byte`;

const DROP_FROM = `
  DELETE FROM outputs USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (seq, number, from_byte)
  WHERE job_seq = given.seq AND outputs.number = given.number AND outputs.from_byte >= given.from_byte`;

const ADD = `
  INSERT INTO outputs (job_seq, number, from_byte, data)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])`;

/** For pieces whose lease is known to hold. */
export function keepWith(session: Session, pieces: readonly OutputPiece[]): void {
  if (pieces.length === 0) return;
  const places = columnsOf(
    pieces.map(({ seq, number, from }) => [seq, number, from]),
    3,
  );
  const chunks = pieces.flatMap(chunksOf).map(({ seq, number, from, data }) => [seq, number, from, data]);
  session.tell(DROP_FROM, places);
  session.tell(CUT, places);
  session.tell(ADD, columnsOf(chunks, 4));
}

/** For attempts that have no output yet. However much there is, only a bounded part is in memory at a time. */
export async function addAll(session: Session, pieces: AsyncIterable<OutputPiece>): Promise<void> {
  let held: OutputPiece[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const chunks = held.map(({ seq, number, from, data }) => [seq, number, from, data]);
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
    chunks.push({ seq: piece.seq, number: piece.number, from: piece.from + at, data });
  }
  return chunks;
}

const READ = `
  SELECT from_byte, data FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 AND from_byte < $3::bigint + $4::bigint
    AND from_byte >= coalesce((SELECT max(from_byte) FROM outputs
      WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) AND number = $2 AND from_byte <= $3::bigint), 0)
  ORDER BY from_byte`;

/** Stops at the first gap, if there ever is one: what follows it belongs further back. */
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

const KNOWN = `
  SELECT j.seq FROM jobs j WHERE j.id = $1 AND EXISTS (
    SELECT 1 FROM attempts a WHERE a.job_seq = j.seq AND a.number = $2) FOR UPDATE`;
const END =
  'SELECT coalesce(max(from_byte + length(data)), 0) AS at FROM outputs WHERE job_seq = $1 AND number = $2';

const BEGINS_AT = 'SELECT 1 FROM outputs WHERE job_seq = $1 AND number = $2 AND from_byte = $3';

async function append(session: Session, id: string, number: number, data: Buffer): Promise<void> {
  const [job] = (await session.sql(KNOWN, [id, number])).rows;
  if (!job) return session.provenBy('SELECT WHERE false');
  const lease: Lease = { seq: Number(job.seq), number };
  const { rows } = await session.sql(END, [lease.seq, number]);
  const from = Number(rows[0]?.at);
  keepWith(session, [{ ...lease, from, data }]);
  session.provenBy(BEGINS_AT, [lease.seq, number, from]);
}

export function outputsOf(connection: Connection): Outputs {
  return {
    keep: async (pieces) => {
      if (pieces.length > 0)
        await connection.write((session) => keep(session, pieces), { isRepeatable: true });
    },
    read: async (id, number, from, length) =>
      joined((await connection.query(READ, [id, number, from, length])).rows, from, length),
    append: (id, number, data) => connection.write((session) => append(session, id, number, data)),
  };
}
