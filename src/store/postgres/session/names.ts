// Names within the database that depend on the schema: quoted names, the channel, the numbers of our advisory locks.

import { createHash } from 'node:crypto';

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedText = (text: string): string =>
  `${text.includes('\\') ? ' E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const LONGEST_NAME_BYTES = 63;

/** Channels belong to the whole database, so each schema has its own. */
export function channelOf(schema: string): string {
  const channel = `queuectl:${schema}`;
  return Buffer.byteLength(channel) <= LONGEST_NAME_BYTES
    ? channel
    : `queuectl#${digest(schema).toString('hex', 0, 24)}`;
}

/** Work that only one process may do at a time in a schema. If two locks have the same hash, they only wait for each other. */
export type Chore =
  | 'migrate'
  | 'count running jobs'
  | 'fold counters'
  | 'move'
  | 'add an environment'
  | 'let unique jobs in'
  | 'fold tallies'
  | 'check for cycles';

export const lockOf = (schema: string, chore: Chore): [number, number] => {
  const bytes = digest(`${chore}:${schema}`);
  return [bytes.readInt32BE(0), bytes.readInt32BE(4)];
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
