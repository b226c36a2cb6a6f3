// A program that has a worker of root condemned, becomes another user, and looks for somebody to rescue. What it found
// as JSON on stdout: how many jobs it took back while the process was hidden, and when it had ended.

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

const bench = new Bench(sqlitePlace()); // whoever runs this removes it
await bench.open();
const { store } = bench;

const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] }); // it ends with its input: no signal needed
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
