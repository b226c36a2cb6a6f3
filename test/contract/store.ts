// The conformance suite: what every store must do, in the words of the port and nothing else. Give it a way to make
// an empty place for a queue.

import { describe } from 'node:test';
import { type MakeBench, makeBench, type NewPlace } from './bench.ts';
import { cancelling } from './cancel.ts';
import { claiming } from './claim.ts';
import { copying, copyingOutputs } from './copy.ts';
import { comingDue } from './due.ts';
import { enqueueing } from './enqueue.ts';
import { environments } from './environments.ts';
import { figures } from './figures.ts';
import { holding } from './hold.ts';
import { finding } from './find.ts';
import { listing } from './list.ts';
import { repairingBackoffs } from './repair-backoffs.ts';
import { outputs } from './outputs.ts';
import { overview } from './overview.ts';
import { pruning } from './prune.ts';
import { removing } from './remove.ts';
import { retrying } from './retry.ts';
import { settings } from './settings.ts';
import { settling } from './settle.ts';
import { sharing } from './share.ts';
import { staging } from './stage.ts';
import { waking } from './wake.ts';
import { workers } from './workers.ts';

const SUITES: Record<string, (bench: MakeBench) => void> = {
  enqueue: enqueueing,
  stage: staging,
  find: finding,
  list: listing,
  claim: claiming,
  due: comingDue,
  settle: settling,
  retry: retrying,
  cancel: cancelling,
  remove: removing,
  prune: pruning,
  'repair backoffs': repairingBackoffs,
  copy: copying,
  outputs: (bench) => {
    outputs(bench);
    copyingOutputs(bench);
  },
  hold: holding,
  environments,
  overview,
  figures,
  settings,
  workers,
  share: sharing,
  wake: waking,
};

export function storeContract(name: string, newPlace: NewPlace): void {
  for (const [part, suite] of Object.entries(SUITES)) {
    describe(`${name}: ${part}`, () => suite((t) => makeBench(t, newPlace)));
  }
}
