// The tour of the README, run as it is written.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Document, newQueue } from '../cli/support.ts';

const root = path.join(import.meta.dirname, '..', '..');

function tour(): string {
  const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
  const [, part = ''] = /<!-- tour -->\n([\s\S]*?)<!-- end of tour -->/.exec(readme) ?? [];
  const blocks = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.equal(blocks.length, 2);
  return `set -e\n${blocks.join('\n')}`;
}

/** Somebody who wants to be told. */
async function alerted(t: TestContext): Promise<{ url: string; told: Document[] }> {
  const told: Document[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      told.push(JSON.parse(body));
      response.end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dead`, told };
}

/** How many of these ran at once, at the most. */
function mostAtOnce(attempts: readonly Document[]): number {
  const times = attempts.map((one) => [Date.parse(String(one.started_at)), Date.parse(String(one.ended_at))]);
  return Math.max(
    ...times.map(([start = 0]) => times.filter(([from = 0, to = 0]) => from <= start && start < to).length),
  );
}

test('the tour of the README does what it says', async (t) => {
  const queue = newQueue(t);
  const { url, told } = await alerted(t);
  await queue.prepare('config', 'set', 'webhook_allow_private', 'on'); // the receiver is on this machine here
  const env = {
    ALERT_URL: url,
    PATH: `${path.join(root, 'bin')}:${process.env.PATH}`,
  };
  const { code, stdout, stderr } = await queue.sh(tour(), { env });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /night {2}added {2}every day at 02:30, Europe\/Berlin/);
  assert.match(stdout, /6 of 6 done · 1 dead/, 'the report has it');

  const jobs = await queue.jobs('--group', 'pictures', '--limit', '0');
  assert.deepEqual(jobs.map(({ state }) => state).sort(), [...Array(5).fill('completed'), 'dead']);
  const shown = await Promise.all(jobs.map(({ id }) => queue.show(String(id))));
  const attempts = shown.flatMap(({ history }) => history as Document[]);
  assert.equal(attempts.length, 8, 'one was tried again with success, one in vain');
  assert.ok(mostAtOnce(attempts) <= 2, 'run at most two jobs at once');

  const [report] = await queue.jobs('name:report');
  assert.equal(report?.state, 'completed');
  const lastEnd = Math.max(...attempts.map((one) => Date.parse(String(one.ended_at))));
  assert.ok(Date.parse(String(report?.started_at)) >= lastEnd, 'the report comes last');

  const dead = jobs.find(({ state }) => state === 'dead');
  assert.deepEqual(
    told.map(({ event, job }) => [event, (job as Document).id]),
    [['dead', dead?.id]],
  );
});
