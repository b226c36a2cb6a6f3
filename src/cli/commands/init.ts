// queuectl init: creates or upgrades the queue and prints its location. Every command does so when needed.

import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'init',
  purpose: 'set up',
  localOnly: 'the server already has a queue; show it with: queuectl status',
  createsQueue: true,
  summary: 'create the queue if it does not exist, and print its location',
  usage: [''],
  examples: [
    ['queuectl init', 'create the default queue of this user'],
    ['queuectl --db ./build.db init', 'create a separate queue for a project'],
  ],
  run: async (context) => {
    exactArguments(context, [], 'init');
    const { place } = await context.queue();
    return {
      data: { db: place.name, logs: place.logs, run: place.run },
      text: [`queue  ${place.name}`, `logs   ${place.logs}`, `run    ${place.run}`].join('\n'),
    };
  },
};
