// The scenes of the demo, in the order they are played: each answers in one line what there was to notice,
// computed from what really happened, or throws Unexpected.

import type { Player } from './player.ts';
import { gracefulStop, killedWorker, timeout } from './scenes-ending.ts';
import { deadLetters, retries, success } from './scenes-failing.ts';
import { flow } from './scenes-flow.ts';
import { priority, schedule } from './scenes-order.ts';

export interface Scene {
  /** As --json calls it. */
  readonly name: string;
  readonly title: string;
  play(player: Player): Promise<string>;
}

export const SCENES: readonly Scene[] = [
  { name: 'success', title: 'A command runs in the background', play: success },
  { name: 'retries', title: 'A command that fails is tried again, each time a little later', play: retries },
  {
    name: 'dead letter queue',
    title: 'When retries are used up a job is kept, and can come back',
    play: deadLetters,
  },
  { name: 'priority', title: 'What matters more runs first', play: priority },
  { name: 'schedule', title: 'A job can wait for its time', play: schedule },
  { name: 'flow', title: 'Jobs wait for each other, and are one group', play: flow },
  { name: 'timeout', title: 'A job that hangs is ended, with everything it started', play: timeout },
  { name: 'killed worker', title: 'A worker dies, and its job does not', play: killedWorker },
  { name: 'graceful stop', title: 'Workers stop when their jobs have finished', play: gracefulStop },
];
