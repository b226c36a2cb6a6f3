// Condemns a worker running as root, becomes another user, and tries a rescue. Prints as JSON how many jobs it requeued
// while the process was hidden, and after its exit.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Rescue } from '../../src/maintenance/rescue.ts';
import { ownIdentity } from '../../src/process/tree/identity.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { Settings } from '../../src/settings/settings.ts';
import { Bench } from '../contract/bench.ts';
import { sqlitePlace } from '../store/sqlite-place.ts';
import { becomeNobody } from '../support/hiding.ts';
import { newJob } from '../support/jobs.ts';

const bench = new Bench(sqlitePlace()); // removed by the parent process
await bench.open();
const { store } = bench;

const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] }); // exits when its input closes
const pid = Number(child.pid);
const own = { id: '', ...ownIdentity({}), storeId: store.id };
await bench.worker('w', { ...own, id: 'w', pid, pidStartedAt: processEntry(pid)?.startedAt ?? null });
await bench.enqueue(newJob('a'));
await bench.take('a', 'w');
await store.condemn('w');

becomeNobody();
const rescue = new Rescue(
  store,
  own,
  () => new Settings({}),
  () => {},
);
const whileHidden = await rescue.runOnce();
child.stdin.end();
await once(child, 'exit');
const whenEnded = await rescue.runOnce();
console.log(JSON.stringify({ whileHidden, whenEnded }));
