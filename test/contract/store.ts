// The conformance suite: what every store must do, in the words of the port and nothing else. Give it a way to make
// an empty place for a queue.

import { describe } from 'node:test';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { type MakeBench, makeBench, type NewPlace } from './bench.ts';
import { changingMany } from './bulk.ts';
import { cancelling } from './cancel.ts';
import { claiming } from './claim.ts';
import { copying, copyingOutputs } from './copy.ts';
import { depending } from './dependencies.ts';
import { dependingAsModelled } from './dependency-model.ts';
import { comingDue } from './due.ts';
import { editing } from './edit.ts';
import { enqueueing } from './enqueue.ts';
import { environments } from './environments.ts';
import { groupingErrors } from './error-groups.ts';
import { figures } from './figures.ts';
import { grouping } from './groups.ts';
import { holding } from './hold.ts';
import { hooking } from './hooks.ts';
import { finding } from './find.ts';
import { sayings } from './inside.ts';
import { limiting } from './limits.ts';
import { linking } from './links.ts';
import { idempotency } from './idempotency.ts';
import { importing } from './import.ts';
import { listing } from './list.ts';
import { paging } from './page.ts';
import { repairingBackoffs } from './repair-backoffs.ts';
import { outputs } from './outputs.ts';
import { overview } from './overview.ts';
import { pruning } from './prune.ts';
import { removing } from './remove.ts';
import { rerunning } from './rerun.ts';
import { retrying } from './retry.ts';
import { schedules } from './schedules.ts';
import { series } from './series.ts';
import { settings } from './settings.ts';
import { settling } from './settle.ts';
import { sharing } from './share.ts';
import { staging } from './stage.ts';
import { stdins } from './stdins.ts';
import { tagging } from './tags.ts';
import { texts } from './texts.ts';
import { uniqueness } from './unique.ts';
import { waitingFor } from './waiting.ts';
import { waking } from './wake.ts';
import { workers } from './workers.ts';

const SUITES: Record<string, (bench: MakeBench) => void> = {
  enqueue: enqueueing,
  stage: staging,
  unique: uniqueness,
  links: linking,
  find: finding,
  list: listing,
  page: paging,
  claim: claiming,
  due: comingDue,
  settle: settling,
  inside: sayings,
  stdins,
  dependencies: depending,
  'dependencies as modelled': dependingAsModelled,
  groups: grouping,
  limits: limiting,
  hooks: hooking,
  tags: tagging,
  texts,
  waiting: waitingFor,
  retry: retrying,
  rerun: rerunning,
  cancel: cancelling,
  edit: editing,
  bulk: changingMany,
  'error groups': groupingErrors,
  remove: removing,
  prune: pruning,
  'repair backoffs': repairingBackoffs,
  copy: copying,
  import: importing,
  outputs: (bench) => {
    outputs(bench);
    copyingOutputs(bench);
  },
  hold: holding,
  environments,
  overview,
  figures,
  series,
  settings,
  accounts,
  activity,
  idempotency,
  schedules,
  workers,
  share: sharing,
  wake: waking,
};

export function storeContract(name: string, newPlace: NewPlace): void {
  for (const [part, suite] of Object.entries(SUITES)) {
    describe(`${name}: ${part}`, () => suite((t) => makeBench(t, newPlace)));
  }
}
