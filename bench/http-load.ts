// Sends the same request over several connections at once, each as soon as its last one was answered, for a while; prints how
// many were answered in a second. In a process of its own, so that it takes no time from the server.

import { Agent, request } from 'node:http';

const [url = '', token = '', connections = '1', seconds = '1', body = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const WARM_UP_MS = 500;

const startedAt = performance.now();
const isOver = (): boolean => performance.now() - startedAt > WARM_UP_MS + Number(seconds) * 1000;
const isWarm = (): boolean => performance.now() - startedAt > WARM_UP_MS;
let answered = 0;

await Promise.all(Array.from({ length: Number(connections) }, sendUntilOver));
agent.destroy();
console.log(answered / Number(seconds));

async function sendUntilOver(): Promise<void> {
  while (!isOver()) {
    await send();
    if (isWarm() && !isOver()) answered++;
  }
}

function send(): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      if ((response.statusCode ?? 500) >= 300) reject(new Error(`status ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(body);
  });
}
