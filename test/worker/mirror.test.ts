// Reading a job's output on another host.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { follow } from '../../src/output/follow.ts';
import { LogText } from '../../src/output/log-text.ts';
import { headFile } from '../../src/process/output/journal-files.ts';
import { Queue } from '../../src/queue/queue.ts';
import { ownIdentity } from '../../src/process/tree/identity.ts';
import { startWorker, makeWorkerId, rescueNow } from '../../src/worker/start-worker.ts';
import { logPathsFor } from '../../src/worker/control/paths.ts';
import { postgresPlace } from '../store/postgres-place.ts';
import { logOf } from '../support/fleet.ts';
import { newFolder, removeFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { plainWorker } from '../support/workers.ts';

interface Hosts {
  readonly alpha: Queue;
  readonly beta: Queue;
  readonly folder: string;
}

/** Two hosts with separate homes on one queue. */
async function twoHosts(t: TestContext): Promise<Hosts> {
  const place = await postgresPlace();
  const folder = newFolder();
  const open = (host: string): Promise<Queue> =>
    Queue.open({
      db: place.url,
      cwd: folder,
      environment: { PATH: process.env.PATH, QUEUECTL_HOME: path.join(folder, host), QUEUECTL_HOST: host },
    });
  const hosts = { alpha: await open('alpha'), beta: await open('beta'), folder };
  t.after(async () => {
    await hosts.alpha.close();
    await hosts.beta.close();
    await place.remove();
    removeFolder(folder);
  });
  return hosts;
}

/** Runs all jobs on a host, then exits. */
const drain = (queue: Queue): Promise<void> =>
  startWorker(queue, {
    id: makeWorkerId(),
    queues: null,
    concurrency: 2,
    drain: true,
    log: () => {},
  }).run();

async function logOfFirst(queue: Queue, id: string): Promise<string> {
  const [attempt] = await queue.history(id);
  assert.ok(attempt);
  return logOf(queue, await queue.find(id), attempt);
}

const logsIn = ({ place }: Queue): string[] => (existsSync(place.logs) ? readdirSync(place.logs) : []);

test('the output of a finished job can be read on another host, and its file is removed', async (t) => {
  const { alpha, beta } = await twoHosts(t);
  await alpha.enqueue([{ id: 'a', command: 'echo "grüße 🙂"; printf "no newline"' }]);
  await drain(beta);
  const text = await logOfFirst(alpha, 'a');
  assert.match(text, /^--- START .* attempt=1 .*\ngrüße 🙂\nno newline\n--- END .* rc=0 ---\n$/);
  assert.deepEqual(logsIn(beta), []);
});

test('output can be followed on another host', async (t) => {
  const { alpha, beta, folder } = await twoHosts(t);
  await alpha.enqueue([{ id: 'a', command: 'echo one; until [ -e go ]; do sleep 0.02; done; echo two' }]);
  const working = drain(beta);
  let seen = '';
  const text = new LogText({ raw: true, timestamps: false, stream: null }, (chunk) => {
    seen += chunk;
    if (seen.includes('one\n')) writeFileSync(path.join(folder, 'go'), '');
  });
  const following = follow(alpha, 'a', text);
  assert.equal((await following)?.state, 'completed');
  assert.equal(seen, 'one\ntwo\n');
  await working;
});

test('large output arrives completely', async (t) => {
  const { alpha, beta } = await twoHosts(t);
  await alpha.enqueue([{ id: 'a', command: 'seq 1 500000' }]);
  await drain(beta);
  const lines = (await logOfFirst(alpha, 'a')).split('\n');
  assert.equal(lines.length, 500_003);
  assert.equal(lines[250_000], '250000');
});

test('output beyond the limit is cut like a log file', async (t) => {
  const { alpha, beta } = await twoHosts(t);
  await alpha.setSetting('log_max_bytes', '20000');
  await alpha.enqueue([{ id: 'a', command: 'seq 1 3000; sleep 1.5; seq 3001 20000' }]);
  await drain(beta);
  const text = await logOfFirst(alpha, 'a');
  assert.ok(text.length < 20_400, `${text.length} bytes are kept`);
  assert.match(text, /^--- START [^\n]*\n1\n2\n/);
  assert.match(text, /\n--- \d+ bytes left out \(log_max_bytes\) ---\n/);
  assert.match(text, /\n19999\n20000\n--- END [^\n]* rc=0 ---\n$/);
});

test('the log of a dead worker is copied by the next one on its host, and reports the loss', async (t) => {
  const { alpha, beta } = await twoHosts(t);
  await alpha.enqueue([{ id: 'a', command: 'true' }]);
  const here = { bootId: ownIdentity(beta.environment).bootId, storeId: beta.store.id };
  await beta.store.registerWorker({ ...DEAD, ...here, host: 'beta' });
  const { claimed } = await beta.store.turn(turnOf(beta));
  const [lease] = claimed;
  assert.ok(lease);
  mkdirSync(beta.place.logs, { recursive: true });
  writeFileSync(headFile(lease.logPath), 'words of the dead\n');
  await rescueNow(beta);
  const [attempt] = await alpha.history('a');
  assert.equal(attempt?.outcome, 'worker_lost');
  assert.match(await logOfFirst(alpha, 'a'), /^--- START .*\nwords of the dead\n--- END .* worker lost ---\n$/);
  assert.deepEqual(logsIn(beta), []);
});

test('on another host, the log of a dead worker is missing but its attempt has finished', async (t) => {
  const { alpha, beta } = await twoHosts(t);
  await alpha.setSetting('lease_duration', '1');
  await alpha.enqueue([{ id: 'a', command: 'true', max_retries: 0 }]);
  await beta.store.registerWorker({ ...DEAD, host: 'beta', leaseMs: 1000 });
  await beta.store.turn(turnOf(beta));
  await drain(alpha);
  await until('it ran again', async () => (await alpha.find('a')).state === 'completed');
  assert.match(await logOfFirst(alpha, 'a'), /--- END .* worker lost ---\n$/);
});

/** A dead worker: no process with its PID has this start time. */
const DEAD = { ...plainWorker, id: 'wdead', pid: 1, pidStartedAt: '1', bootId: 'another boot' };

const turnOf = ({ place }: Queue) => ({
  worker: { ...DEAD, host: 'beta' },
  started: [],
  ended: [],
  want: 1,
  queues: null,
  policy: { strategy: 'exponential', base: 2, maxSeconds: 3600, jitter: 0 } as const,
  maxConcurrentJobs: null,
  logPath: logPathsFor(place, DEAD.id),
});
