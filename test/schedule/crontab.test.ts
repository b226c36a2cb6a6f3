// Importing a crontab: which lines become schedules, and the reasons for the rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCrontab } from '../../src/schedule/crontab.ts';

const CRONTAB = `# backups
SHELL=/bin/bash
MAILTO="me@example.com"
PATH=/usr/local/bin:/usr/bin

30 2 * * *   /usr/local/bin/backup --all
CRON_TZ=Europe/Berlin
NAME = 'a b'
@daily cd /srv/site && ./rotate-logs
*/5 * * * * /usr/local/bin/backup --quick
0 9 * * mon-fri date +\\%F >> /tmp/days
0 9 * * * mail -s hello me%Hello%there
@reboot /usr/local/bin/start
61 * * * * wrong
not a line
CRON_TZ=Mars/Olympus
`;

test('lines with a time become schedules with the preceding variables and zone', () => {
  const { entries } = parseCrontab(CRONTAB);
  const PATH = '/usr/local/bin:/usr/bin';
  assert.deepEqual(entries, [
    {
      line: 6,
      name: 'backup',
      cron: '30 2 * * *',
      zone: null,
      command: '/usr/local/bin/backup --all',
      env: { PATH },
    },
    {
      line: 9,
      name: 'rotate-logs',
      cron: '@daily',
      zone: 'Europe/Berlin',
      command: 'cd /srv/site && ./rotate-logs',
      env: { PATH, NAME: 'a b' },
    },
    {
      line: 10,
      name: 'backup-2',
      cron: '*/5 * * * *',
      zone: 'Europe/Berlin',
      command: '/usr/local/bin/backup --quick',
      env: { PATH, NAME: 'a b' },
    },
    {
      line: 11,
      name: 'date',
      cron: '0 9 * * mon-fri',
      zone: 'Europe/Berlin',
      command: 'date +%F >> /tmp/days',
      env: { PATH, NAME: 'a b' },
    },
  ]);
});

test('lines that cannot be converted are reported with the reason', () => {
  const { notTaken } = parseCrontab(CRONTAB);
  const reasons = notTaken.map(({ line, reason }) => [line, reason] as const);
  assert.deepEqual(
    reasons.map(([line]) => line),
    [2, 3, 12, 13, 14, 15, 16],
  );
  const patterns = [/shell/, /no mail/, /after %/, /reboot/, /'minute'/, /neither/, /time zone/];
  for (const [i, pattern] of patterns.entries()) assert.match(reasons[i]?.[1] ?? '', pattern);
});

test('in a crontab with a user column, only lines of that user are read', () => {
  const text = '17 * * * * root run-parts /etc/cron.hourly\n0 4 * * * me /home/me/bin/tidy --now\n@daily me true\n';
  const { entries, notTaken } = parseCrontab(text, { user: 'me' });
  assert.deepEqual(
    entries.map(({ command }) => command),
    ['/home/me/bin/tidy --now', 'true'],
  );
  assert.match(notTaken[0]?.reason ?? '', /a user other than/);
});

test('generated names are valid whatever the command looks like', () => {
  const commands = ['"/opt/my app/run" x', '$HOME/bin/x', 'FOO=1 env', '[ -x /a ] && /a', `/${'x'.repeat(300)}`, '...'];
  const { entries } = parseCrontab(commands.map((command) => `* * * * * ${command}`).join('\n'));
  assert.equal(entries.length, commands.length);
  for (const { name } of entries) assert.match(name, /^[\w.-]{1,45}$/);
  assert.equal(new Set(entries.map(({ name }) => name)).size, commands.length);
});

test('an empty crontab has no entries', () => {
  assert.deepEqual(parseCrontab('# nothing\n\n'), { entries: [], notTaken: [] });
});
