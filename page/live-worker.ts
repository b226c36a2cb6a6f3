// The shared worker: the browser starts it with the first tab and stops it with the last one.

import { LiveHub } from './core/live-hub.ts';

const hub = new LiveHub();
addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) hub.add(port);
});
