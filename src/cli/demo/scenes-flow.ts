// Scene: a group of jobs with dependencies. One fails, so its dependent does not run.

import { expect, type JobSeen, msBetween } from './expect.ts';
import type { Player } from './player.ts';

const FOUR_JOBS = `[
  {"id": "fetch",   "command": "echo 42 > data.txt"},
  {"id": "sum",     "command": "wc -c < data.txt", "after": "fetch"},
  {"id": "check",   "command": "grep 43 data.txt", "after": "fetch"},
  {"id": "publish", "command": "echo done", "after": ["sum", "check"]}]`;

export async function flow(player: Player): Promise<string> {
  await player.type('enqueue', '--group', 'report', '--max-retries', '0', FOUR_JOBS);
  await player.typeFailing('wait', '--group', 'report');
  await player.type('why', 'publish');
  await player.type('group', 'show', 'report');
  const [fetch, sum, check, publish] = await Promise.all([
    player.job('fetch'),
    player.job('sum'),
    player.job('check'),
    player.job('publish'),
  ]);
  expect(fetch.state === 'completed' && sum.state === 'completed', `fetch is ${fetch.state}, sum ${sum.state}`);
  expect(isAfter(sum, fetch) && isAfter(check, fetch), 'a job started before its dependency fetch completed');
  expect(check.state === 'dead', `check is ${check.state}`);
  expect(
    publish.state === 'cancelled' && publish.history.length === 0,
    `publish is ${publish.state} after ${publish.history.length} starts`,
  );
  return 'two jobs ran after fetch; one failed, so publish never started';
}

const isAfter = (job: JobSeen, other: JobSeen): boolean =>
  msBetween(other.history.at(-1)?.ended_at, job.history[0]?.started_at) >= 0;
