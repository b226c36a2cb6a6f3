// Sends the same request over several connections for a while, each as soon as its previous response arrived. Prints
// the number per second and in total. A separate process with minimal HTTP code, so that it takes little CPU from the
// server.

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

/** Relies on Content-Length, and on one request at a time per connection. */
function isWhole(heard: string): boolean {
  const headEnds = heard.indexOf('\r\n\r\n');
  const length = LENGTH.exec(heard)?.[1];
  return headEnds >= 0 && length !== undefined && heard.length >= headEnds + 4 + Number(length);
}
