// Sends the same request over several connections at once, each as soon as its last one was answered, for a while. Prints how
// many were answered in a second, and how many in all. In a process of its own, and with no more of HTTP than it takes, so that
// it takes little time from the server.

import { connect } from 'node:net';

const [address = '', token = '', connections = '1', seconds = '1', body = ''] = process.argv.slice(2);
const { hostname, port, host, pathname } = new URL(address);
const WARM_UP_MS = 500;
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;

const request = Buffer.from(
  [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `\r\n${body}`,
  ].join('\r\n'),
);
const counted = { all: 0, warm: 0 };
let [isWarm, isOver] = [false, false];
setTimeout(() => (isWarm = true), WARM_UP_MS);
setTimeout(() => (isOver = true), WARM_UP_MS + Number(seconds) * 1000);

await Promise.all(Array.from({ length: Number(connections) }, sendUntilOver));
console.log(JSON.stringify({ perSecond: counted.warm / Number(seconds), answered: counted.all }));

function sendUntilOver(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let heard = '';
    socket.on('error', reject).on('connect', () => socket.write(request));
    socket.setEncoding('latin1').on('data', (text) => {
      heard += text;
      if (!isWhole(heard)) return;
      if (!heard.startsWith('HTTP/1.1 201 ')) return reject(new Error(heard));
      heard = '';
      counted.all++;
      if (isWarm && !isOver) counted.warm++;
      if (!isOver) return socket.write(request);
      socket.destroy();
      resolve();
    });
  });
}

/** Answers say how long they are, and no connection is sent a second request before the first is answered. */
function isWhole(heard: string): boolean {
  const headEnds = heard.indexOf('\r\n\r\n');
  const length = LENGTH.exec(heard)?.[1];
  return headEnds >= 0 && length !== undefined && heard.length >= headEnds + 4 + Number(length);
}
