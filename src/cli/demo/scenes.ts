// The scenes of the demo in their order. Each returns a one-line summary of what happened, or throws.

import type { Player } from './player.ts';
import { gracefulStop, killedWorker, timeout } from './scenes-ending.ts';
import { deadLetters, retries, success } from './scenes-failing.ts';
import { flow } from './scenes-flow.ts';
import { priority, schedule } from './scenes-order.ts';

export interface Scene {
  /** The name in --json. */
  readonly name: string;
  readonly title: string;
  play(player: Player): Promise<string>;
}

export const SCENES: readonly Scene[] = [
  { name: 'success', title: 'Run a command in the background', play: success },
  { name: 'retries', title: 'Retry a failing command with increasing delays', play: retries },
  {
    name: 'dead letter queue',
    title: 'Keep a job whose retries are used up, and retry it manually',
    play: deadLetters,
  },
  { name: 'priority', title: 'Run jobs by priority', play: priority },
  { name: 'schedule', title: 'Delay a job', play: schedule },
  { name: 'flow', title: 'Run jobs with dependencies as a group', play: flow },
  { name: 'timeout', title: 'Stop a job that exceeds its timeout, with all its processes', play: timeout },
  { name: 'killed worker', title: 'Recover a job from a killed worker', play: killedWorker },
  { name: 'graceful stop', title: 'Stop workers after their jobs finish', play: gracefulStop },
];
