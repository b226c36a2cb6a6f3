// Commands whose server is not there or says nothing: a sentence and exit code 5, after connect_timeout and not later.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue } from '../cli/support.ts';
import { Detour } from '../support/detour.ts';
import { addressWith, freePort, sharedServer } from '../support/postgres.ts';

/** A loaded machine takes its time to start a program. */
const SLACK_MS = 4000;
const COMMANDS = [
  ['status'],
  ['enqueue', 'true'],
  ['list'],
  ['worker', 'run'],
  ['worker', 'start'],
  ['config', 'set', 'max_retries', '2'],
];

interface Case {
  readonly args?: readonly string[];
  readonly address: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly reason: RegExp;
  readonly afterMs: number;
}

async function expectRejection(t: Parameters<typeof newQueue>[0], rejected: Case): Promise<void> {
  const { args = ['status'], address, env = {}, reason, afterMs } = rejected;
  const queue = newQueue(t);
  const began = performance.now();
  const words = await queue.rejected(5, args, { env: { QUEUECTL_DB: address, ...env } });
  const tookMs = performance.now() - began;
  assert.match(words, /^error: cannot open database 'postgres:\/\/[^']*' \(.*\)\n hint: /);
  assert.match(words, reason);
  assert.doesNotMatch(words, /secret|hunter2/);
  assert.ok(tookMs > afterMs * 0.5 && tookMs < afterMs + SLACK_MS, `${args[0]} took ${Math.round(tookMs)} ms`);
}

const nobody = async (parameters: Record<string, string>): Promise<string> =>
  addressWith(`postgres://someone:hunter2@127.0.0.1:${await freePort()}/d`, parameters);

/** The address of a server that accepts connections and swallows all that is sent. */
async function silence(t: Parameters<typeof newQueue>[0], parameters: Record<string, string>): Promise<string> {
  const way = await Detour.open(t, await sharedServer());
  await way.drop();
  return addressWith(way.url, parameters);
}

test('without a listener on the port, every command is rejected after connect_timeout', async (t) => {
  const address = await nobody({ connect_timeout: '1' });
  for (const args of COMMANDS)
    await expectRejection(t, {
      args,
      address,
      reason: /connection refused at 127\.0\.0\.1:\d+/,
      afterMs: 1000,
    });
});

test('if packets are dropped, every command is rejected after connect_timeout', async (t) => {
  const address = await silence(t, { connect_timeout: '1' });
  for (const args of COMMANDS)
    await expectRejection(t, { args, address, reason: /connection timed out/, afterMs: 1000 });
});

test('PGCONNECT_TIMEOUT sets the time if the URL does not', async (t) => {
  const env = { PGCONNECT_TIMEOUT: '3' };
  await expectRejection(t, {
    address: await nobody({}),
    env,
    reason: /connection refused at 127\.0\.0\.1:\d+/,
    afterMs: 3000,
  });
  await expectRejection(t, {
    address: await silence(t, {}),
    env,
    reason: /connection timed out/,
    afterMs: 3000,
  });
  const short = await silence(t, { connect_timeout: '1' });
  await expectRejection(t, { address: short, env, reason: /connection timed out/, afterMs: 1000 });
});

test('the default timeout is five seconds', async (t) => {
  const address = await silence(t, {});
  await expectRejection(t, { address, reason: /connection timed out/, afterMs: 5000 });
});

test('with --json the error is one document without a password', async (t) => {
  const queue = newQueue(t);
  const { code, stderr } = await queue.run(['status', '--json'], {
    env: { QUEUECTL_DB: await nobody({ connect_timeout: '1' }) },
  });
  assert.equal(code, 5);
  const document = JSON.parse(stderr);
  assert.equal(document.code, 'store_unreachable');
  assert.doesNotMatch(stderr, /hunter2/);
});
