// Screenshots of every screen for docs/screenshots, with jobs that really ran: npm run screenshots. Not part of the tests.

import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Fleet, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { type Looks, newPage, openPageOf } from './support.ts';

const folder = path.join(import.meta.dirname, '../../docs/screenshots');

type Shot = readonly [name: string, path: string, looks?: Looks];

const SHOTS: readonly Shot[] = [
  ['overview', '/'],
  ['overview-dark', '/', { scheme: 'dark' }],
  ['overview-phone', '/', { device: 'phone' }],
  ['jobs', '/jobs'],
  ['jobs-phone', '/jobs', { device: 'phone', scheme: 'dark' }],
  ['job', '/jobs/build'],
  ['job-dark', '/jobs/import', { scheme: 'dark' }],
  ['dead', '/dead'],
  ['groups', '/groups'],
  ['graph', '/jobs/build/graph'],
  ['queues', '/queues'],
  ['schedules', '/schedules'],
  ['recipes', '/recipes'],
  ['recipes-phone', '/recipes', { device: 'phone', scheme: 'dark' }],
  ['recipe-job', '/recipes?enqueue=resize'],
  ['confined-job', '/jobs/hungry'],
  ['confined-job-dark', '/jobs/hungry', { scheme: 'dark' }],
  ['confined-queue', '/queues/untrusted'],
  ['confine-queue', '/queues/untrusted?form=isolation', { scheme: 'dark' }],
  ['policy', '/policy'],
  ['policy-phone', '/policy', { device: 'phone' }],
  ['secrets', '/secrets'],
  ['secrets-phone', '/secrets', { device: 'phone', scheme: 'dark' }],
  ['workers', '/workers'],
  ['activity', '/activity'],
  ['settings', '/settings'],
  ['access', '/access'],
];

const STEPS =
  'for i in $(seq 1 300); do printf "\\033[32m✓\\033[0m step %d \\033[2mcompiling module-%d.ts\\033[0m\\n" $i $i; done';
const ROWS =
  'for i in $(seq 1 900); do printf "\\033[36m%s\\033[0m imported row %d\\n" "$(date +%T)" $i; sleep 0.2; done';

test('screenshots of every screen', async (t) => {
  const fleet = await newFleet(t);
  const mails = Array.from({ length: 400 }, (_, i) => ({
    queue: 'mail',
    command: `echo mail ${i}; sleep 0.0${i % 9}`,
  }));
  const broken = Array.from({ length: 14 }, (_, i) => ({
    queue: 'thumbnails',
    command: `echo "convert: unable to open image upload-${i}.png: No such file" >&2; exit 2`,
    max_retries: i % 3,
    backoff_base: i % 4 === 0 ? 60 : 0.1,
  }));
  await fleet.add(
    ...mails,
    ...broken,
    { id: 'build', command: STEPS, cwd: '/' },
    { id: 'test', command: 'sleep 0.4', depends_on: ['build'], group: 'release' },
    { id: 'lint', command: 'sleep 0.2', depends_on: ['build'], group: 'release' },
    { id: 'deploy', command: 'sleep 600', depends_on: ['test', 'lint'], group: 'release' },
    { id: 'announce', command: 'echo out', depends_on: ['deploy'], group: 'release' },
    { id: 'import', queue: 'imports', command: ROWS, cwd: '/', tags: ['nightly'] },
    { queue: 'backups', command: 'pg_dump shop | zstd > shop.zst', run_at: '+2h' },
  );
  await fleet.cli.text('schedule', 'add', 'nightly', '--cron', '30 2 * * *', 'make report');
  await fleet.cli.text('token', 'add', 'ci', '--role', 'enqueuer');
  await isolate(fleet);
  await fleet.cli.text('worker', 'start', '--concurrency', '4'); // the test would stop a foreground worker after a minute
  await until('some are dead', async () => (await fleet.count('dead')) >= 9 && (await fleet.count('completed')) > 390);
  await fleet.untilState('hungry', 'dead');
  await reject(fleet);
  await fleet.cli.text('hold', 'announce');
  spreadOverTheHour(fleet.queue.place.db);
  const opened = await openPageOf(t, fleet.queue, '/');
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, address, looks] of SHOTS) {
    const page = await newPage(t, looks);
    await page.goto(`${opened.url}${address}#token=${opened.token}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('load');
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(1200); // charts and output arrive; a picture has no condition to wait for
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await page.context().close();
  }
  for (const id of ['deploy', 'import']) await fleet.queue.cancel([id]);
});

const RESIZE = ['convert', '{in:path(/srv/media)}', '-resize', '{size:int(1..4000)=800}', '-quality', '{quality:choice(draft,web,print)=web}', '{out:path}']; // biome-ignore format: a list of words
const HOG = `node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'`;

/** Adds an isolated queue with a job that exceeds its limits, recipes and secrets. */
async function isolate(fleet: Fleet): Promise<void> {
  const { cli, queue } = fleet;
  const secrets = await queue.secrets();
  await cli.text('recipe', 'add', 'resize', '--', ...RESIZE);
  await cli.text('recipe', 'add', 'restart', '--', 'systemctl', 'restart', '{unit:string([a-z-]+)}');
  await cli.text('recipe', 'add', 'dump', '--', 'pg_dump', '--file', '{file:path(/srv/backups)}', '{database=shop}');
  await secrets.set('DB_PASSWORD', Buffer.from('correct horse'), 'ann@build7');
  await secrets.set('DEPLOY_KEY', Buffer.from('a key'), 'ann@build7');
  await queue.queues.set('untrusted', {
    confinement: { limits: { memory: '256M', processes: 50, nice: 10, mode: 'best-effort' } },
  });
  for (const setting of ['limit_open_files 1024', 'limit_mode best-effort'])
    await cli.text('config', 'set', ...setting.split(' '));
  const limits = { memory: '200M', cpu_time: '60s', mode: 'best-effort' } as const;
  await fleet.add({
    id: 'hungry',
    queue: 'untrusted',
    command: HOG,
    max_retries: 1,
    backoff_base: 0.1,
    limits,
  });
  await cli.text('schedule', 'add', 'dump', '--cron', '0 4 * * *', '--secret', 'DB_PASSWORD', 'pg_dump shop');
}

/** Sets a policy and enqueues jobs that it rejects. */
async function reject({ cli }: Fleet): Promise<void> {
  const programs = '/usr/bin/convert **; /usr/bin/pg_dump **; rsync -a * backup:*';
  await cli.text('config', 'set', 'policy_programs', programs);
  await cli.text('config', 'set', 'policy_shell', 'reject');
  await cli.text('config', 'set', 'policy_recipes_only', 'enqueuers');
  for (const command of [['--', 'curl', 'http://example.com/x.sh'], ['rm -rf /srv/media']])
    await cli.text('enqueue', ...command).catch(() => {}); // rejected by the policy
}

/** Spreads the jobs over an hour, because a chart of a single minute would be empty. */
function spreadOverTheHour(file: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('UPDATE tallies SET counted_at = counted_at - (number * 7919) % 3500 * 1000');
  database.close();
}
