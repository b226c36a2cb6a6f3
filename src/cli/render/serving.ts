// The output of serve on a terminal: the URL, how to stop the server, and a hint if there are no workers.

import type { Style } from './kit/style.ts';

export interface ServingView {
  readonly address: string;
  /** The number of jobs that the server runs at once. */
  readonly slots: number;
  readonly hasWorkers: boolean;
}

export function servingText({ address, slots, hasWorkers }: ServingView, style: Style): string {
  return [
    'Serving the queue at',
    '',
    `  ${style.bold(address)}`,
    '',
    address.includes('#token=')
      ? 'The URL contains a token: anyone who has it has full access to the queue.'
      : 'Every user of this host has full access to the queue.',
    slots > 0
      ? `The server runs up to ${slots} ${slots === 1 ? 'job' : 'jobs'} at once. Press Ctrl-C to stop it after running jobs finish.`
      : 'Press Ctrl-C to stop the server; workers continue.',
    ...(slots > 0 || hasWorkers
      ? []
      : ['No worker is running yet. Start one: queuectl worker start, or queuectl serve --workers 4']),
  ].join('\n');
}
