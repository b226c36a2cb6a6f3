// Which account of this machine a connection from this machine comes from: all of them share the loopback address, and one of
// them must not be able to keep the others from logging in. Linux tells it; elsewhere it is unknown.

import { readFileSync } from 'node:fs';

/** Both ends of a connection, as the server sees it. */
export interface Ends {
  /** Of the client. */
  readonly remotePort?: number | undefined;
  /** Of the server. */
  readonly localPort?: number | undefined;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Returns the user ID, or null if it is unknown. */
export function localAccount({ remotePort, localPort }: Ends): string | null {
  if (remotePort === undefined || localPort === undefined) return null;
  const seen = performance.now() - readAt < SHARED_MS ? accountIn(known, remotePort, localPort) : null;
  if (seen !== null) return seen;
  [known, readAt] = [TABLES.map(textOf).join(''), performance.now()];
  return accountIn(known, remotePort, localPort);
}

/** Reading takes the system milliseconds, so logins that come at once share what was read. */
const SHARED_MS = 100;
let [known, readAt] = ['', Number.NEGATIVE_INFINITY];

/** The client's own row: there, its port is the local one. The user ID is the seventh column after the row's number. */
function accountIn(table: string, clientPort: number, serverPort: number): string | null {
  const row = `: [0-9A-F]+:${hex(clientPort)} [0-9A-F]+:${hex(serverPort)} \\S+ \\S+ \\S+ \\S+ +(\\d+) `;
  return new RegExp(row).exec(table)?.[1] ?? null;
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
