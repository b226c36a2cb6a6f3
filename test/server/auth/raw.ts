// Requests byte by byte, where fetch is too polite: it sets the Host itself, tidies paths, and rejects odd headers.

import { connect } from 'node:net';
import type { TestServer } from '../support.ts';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** One request on a connection of its own, which the server closes. Lines are joined as HTTP wants them. */
export function raw({ url }: TestServer, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const text = [...lines, 'Connection: close', ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : [])];
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${text.join('\r\n')}\r\n\r\n${body}`));
    socket.setEncoding('utf8').on('data', (data) => {
      answer += data;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(parsed(answer)));
  });
}

function parsed(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}
