// The commands of docs/tutorial.md, run as they are written.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Document, newQueue } from '../cli/support.ts';
import { repository } from '../setup/clone.ts';

function commands(): string {
  const page = fs.readFileSync(path.join(repository, 'docs', 'tutorial.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.ok(blocks.length >= 9);
  return `set -e\n${blocks.join('\n')}`;
}

/** The largest number of attempts that ran at the same time. */
function mostAtOnce(attempts: readonly Document[]): number {
  const times = attempts.map((one) => [Date.parse(String(one.started_at)), Date.parse(String(one.ended_at))]);
  return Math.max(
    ...times.map(([start = 0]) => times.filter(([from = 0, to = 0]) => from <= start && start < to).length),
  );
}

test('the tutorial does what it says', async (t) => {
  const queue = newQueue(t);
  const folder = path.join(queue.folder, 'tutorial');
  const db = path.join(folder, 'queue', 'queue.db');
  const env = { PATH: `${path.join(repository, 'bin')}:${process.env.PATH}` };
  const { code, stdout, stderr } = await queue.sh(commands(), { env });
  if (code !== 0) await queue.run(['worker', 'stop', '--force', '--db', db]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^hello from /m);
  assert.match(stdout, /^exit code [12]$/m, 'wait exits with the exit code of the job');
  assert.match(stdout, /^nightly .*every day at 02:30, Europe\/Berlin/m);
  assert.match(stdout, /\b6 of 6\b/, 'the report shows the group');

  const read = async (...args: string[]): Promise<Document[]> => {
    return JSON.parse((await queue.run([...args, '--db', db, '--json'])).stdout) as Document[];
  };
  const [lines] = await read('list', 'name:lines');
  assert.equal(lines?.state, 'completed');
  const jobs = await read('list', '--group', 'pictures', '--limit', '0');
  assert.deepEqual(jobs.map(({ state }) => state).sort(), [...Array(5).fill('completed'), 'dead']);
  const shown = (await Promise.all(jobs.map(({ id }) => read('show', String(id))))) as unknown as Document[];
  const attempts = shown.flatMap(({ history }) => history as Document[]);
  assert.equal(attempts.length, 8, 'picture 3 and picture 5 were retried once');
  assert.ok(mostAtOnce(attempts) <= 2, 'two at once');

  const [report] = await read('list', 'name:report');
  assert.equal(report?.state, 'completed');
  const lastEnd = Math.max(...attempts.map((one) => Date.parse(String(one.ended_at))));
  assert.ok(Date.parse(String(report?.started_at)) >= lastEnd, 'the report runs last');

  const dead = jobs.find(({ state }) => state === 'dead');
  assert.equal(fs.readFileSync(path.join(folder, 'alerts.txt'), 'utf8'), `${dead?.id} is dead\n`);
});
