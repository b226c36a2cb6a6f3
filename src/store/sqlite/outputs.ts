// Output of attempts that is kept in the store.

import { type OutputPart, recordText } from '../../job/output/output.ts';
import type { OutputReport, OutputPiece, Outputs } from '../store.ts';
import type { Lease } from '../store.ts';
import type { Connection } from './connection.ts';

const KEEP = 'INSERT INTO outputs (job_seq, number, from_byte, data) VALUES (?, ?, ?, ?)';
const REPLACE = 'DELETE FROM outputs WHERE job_seq = ? AND number = ? AND from_byte >= ?';
const CUT = `
  UPDATE outputs SET data = substr(data, 1, $from - from_byte)
  WHERE job_seq = $seq AND number = $run AND from_byte < $from AND from_byte + length(data) > $from`;
const LEAVE_OUT = `
  DELETE FROM outputs
  WHERE job_seq = $seq AND number = $run AND from_byte >= $from AND from_byte + length(data) <= $to`;
const LEAVE_OUT_AFTER = `
  UPDATE outputs SET data = substr(data, 1, $from - from_byte)
  WHERE job_seq = $seq AND number = $run AND from_byte < $from
    AND from_byte + length(data) BETWEEN $from AND $to`;
const LEAVE_OUT_BEFORE = `
  UPDATE outputs SET data = substr(data, $to - from_byte + 1), from_byte = $to
  WHERE job_seq = $seq AND number = $run AND from_byte BETWEEN $from AND $to - 1`;

/** Expects a valid lease. */
export function keepPart(connection: Connection, { seq, run }: Lease, { from, data }: OutputPart): void {
  connection.sql(REPLACE).run(seq, run, from);
  if (from > 0) connection.sql(CUT).run({ $seq: seq, $run: run, $from: from });
  if (data.length > 0) connection.sql(KEEP).run(seq, run, from, data);
}

function keep(connection: Connection, piece: OutputPiece): void {
  const { seq, run, leftOut } = piece;
  if (!connection.sql(IS_HELD).get(seq, run)) return;
  keepPart(connection, piece, piece);
  if (!leftOut) return;
  const gap = { $seq: seq, $run: run, $from: leftOut.from, $to: leftOut.to };
  for (const sql of [LEAVE_OUT, LEAVE_OUT_AFTER, LEAVE_OUT_BEFORE]) connection.sql(sql).run(gap);
}

const RECORD = 'UPDATE attempts SET output = ?, log_path = ? WHERE job_seq = ? AND number = ?';

function recordOutput(connection: Connection, { seq, run }: Lease, output: OutputReport): void {
  const { record, part, logPath } = output;
  connection.sql(RECORD).run(recordText(record), logPath ?? '', seq, run);
  if (part) keepPart(connection, { seq, run }, part);
}

const IS_HELD = "SELECT 1 FROM jobs WHERE seq = ? AND runs = ? AND state = 'processing'";
const SEQ = `
  SELECT j.seq FROM jobs j JOIN attempts a ON a.job_seq = j.seq AND a.number = $run
  WHERE j.id = $id AND a.ended_at IS NOT NULL`;

/** Selects the chunk with the offset and those after it. */
const READ = `
  SELECT from_byte, data FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = $id) AND number = $run
    AND from_byte + length(data) > $from
  ORDER BY from_byte`;

/** Reads up to the first gap. The output after a gap is stored elsewhere. */
function read(connection: Connection, id: string, run: number, from: number, length: number): OutputPart {
  const found: Buffer[] = [];
  let [start, at] = [from, from];
  for (const row of connection.sql(READ).iterate({ $id: id, $run: run, $from: from })) {
    const [chunkFrom, chunk] = [Number(row.from_byte), Buffer.from(row.data as Uint8Array)];
    if (found.length === 0) start = at = Math.max(from, chunkFrom);
    if (chunkFrom > at || at >= start + length) break;
    found.push(chunk.subarray(at - chunkFrom, start + length - chunkFrom));
    at = chunkFrom + chunk.length;
  }
  return { from: start, data: Buffer.concat(found) };
}

const SIZE = `
  SELECT from_byte + length(data) AS size FROM outputs
  WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?) AND number = ? ORDER BY from_byte DESC LIMIT 1`;

const sizeOf = (connection: Connection, id: string, run: number): number =>
  Number(connection.sql(SIZE).get(id, run)?.size ?? 0);

export function outputsOf(connection: Connection): Outputs {
  return {
    keep: (pieces) =>
      connection.write(() => {
        for (const piece of pieces) keep(connection, piece);
      }),
    read: (id, run, from, length) => connection.read(() => read(connection, id, run, from, length)),
    size: (id, run) => connection.read(() => sizeOf(connection, id, run)),
    record: (id, run, output) =>
      connection.write(() => {
        const row = connection.sql(SEQ).get({ $id: id, $run: run });
        if (row) recordOutput(connection, { seq: Number(row.seq), run }, output);
      }),
  };
}
