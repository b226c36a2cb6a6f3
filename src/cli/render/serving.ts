// Where the server is, for people: what to open, how to stop it, and what is missing.

import type { Style } from './kit/style.ts';

export interface ServingView {
  readonly address: string;
  /** Jobs at once in the process of the server. */
  readonly slots: number;
  readonly hasWorkers: boolean;
}

export function servingText({ address, slots, hasWorkers }: ServingView, style: Style): string {
  return [
    'This queue is served at',
    '',
    `  ${style.bold(address)}`,
    '',
    address.includes('#token=')
      ? 'Anyone who has this address may do everything with the queue: it holds a token.'
      : 'Everybody on this machine may do everything with the queue.',
    slots > 0
      ? `Up to ${slots} ${slots === 1 ? 'job runs' : 'jobs run'} here at a time. Ctrl-C stops the server and lets them finish.`
      : 'Ctrl-C stops the server; workers go on.',
    ...(slots > 0 || hasWorkers
      ? []
      : ['No worker is running yet: queuectl worker start, or queuectl serve --workers 4']),
  ].join('\n');
}
