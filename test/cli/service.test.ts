// queuectl service: a worker or a server that the system keeps. systemctl, launchctl, loginctl and journalctl are stand-ins that
// remember what they were told; what they would start is really started here, and stopped as they would stop it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { install, installedBy, uninstall } from '../../src/service/installation.ts';
import type { Service } from '../../src/service/service.ts';
import { Systemd } from '../../src/service/systemd.ts';
import { newFleet } from '../support/fleet.ts';
import { StandIn } from '../support/stand-in.ts';
import { systemdCommand, systemdWords, valuesOf } from '../support/systemd-words.ts';
import { until } from '../support/until.ts';
import { type Document, newQueue, TestQueue } from './support.ts';

interface Ending {
  after(work: () => void | Promise<void>): void;
}

const SECRET = 'postgres://me:very%20secret@127.0.0.1:1/db';

const machine = (t: Ending, kind: 'systemd' | 'launchd' = 'systemd'): StandIn => new StandIn(newQueue(t), kind);

const unitPath = ({ config }: StandIn, file: string): string => path.join(config, 'systemd/user', file);
const unitOf = (it: StandIn, file: string): string => fs.readFileSync(unitPath(it, file), 'utf8');
const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

test('a worker is installed and started for the user, and the next commands are printed', async (t) => {
  const it = machine(t);
  const said = await it.text('service', 'install', 'worker', '--count', '2', '--concurrency', '4', '--queue', 'mail');
  assert.match(said, /^written {2}.*queuectl-worker@\.service\n2 processes of .*queue\.db: /);
  assert.match(said, /queuectl service logs worker -f\n$/);
  const unit = unitOf(it, 'queuectl-worker@.service');
  assert.deepEqual(
    ['KillMode', 'TimeoutStopSec', 'Restart', 'OOMPolicy', 'Delegate', 'WantedBy'].map((key) => valuesOf(unit, key)),
    [['mixed'], ['infinity'], ['on-failure'], ['continue'], ['yes'], ['default.target']],
  );
  assert.deepEqual(it.calls(), [
    'systemctl --user daemon-reload',
    'systemctl --user enable queuectl-worker@1.service queuectl-worker@2.service',
    'systemctl --user reset-failed queuectl-worker@1.service queuectl-worker@2.service',
    'systemctl --user start queuectl-worker@1.service queuectl-worker@2.service',
  ]);
});

test('a second install changes only what differs', async (t) => {
  const it = machine(t);
  const install = (...more: string[]): Promise<string> => it.text('service', 'install', 'worker', ...more);
  await install('--count', '3');
  it.calls();
  const before = fs.statSync(unitPath(it, 'queuectl-worker@.service')).mtimeMs;
  assert.match(await install('--count', '3'), /^already installed with these settings\n/);
  assert.equal(fs.statSync(unitPath(it, 'queuectl-worker@.service')).mtimeMs, before);
  assert.doesNotMatch(it.calls().join('\n'), /restart|stop/);

  assert.match(await install('--count', '2', '--concurrency', '2'), /^changed {2}/);
  const calls = it.calls().join('\n');
  assert.match(calls, /disable queuectl-worker@3\.service\n.* stop queuectl-worker@3\.service/);
  assert.match(calls, /--no-block try-restart queuectl-worker@1\.service queuectl-worker@2\.service/);
});

test('several services exist side by side, and status shows each of them', async (t) => {
  const it = machine(t);
  await it.text('service', 'install', 'worker', '--name', 'mail', '--queue', 'mail,news');
  const said = await it.text('service', 'install', 'server', '--port', '7999', '--workers', '2');
  assert.ok(said.includes(path.join(it.queue.home, 'run/queue.db/server-token')), said);
  const views = await it.json<(Document & { processes: Document[] })[]>('service', 'status');
  assert.deepEqual(
    views.map(({ role, name, queues, url, system, linger }) => ({ role, name, queues, url, system, linger })),
    [
      {
        role: 'server',
        name: null,
        queues: null,
        url: 'http://127.0.0.1:7999',
        system: false,
        linger: false,
      },
      { role: 'worker', name: 'mail', queues: ['mail', 'news'], url: null, system: false, linger: false },
    ],
  );
  assert.deepEqual(views[1]?.processes, [
    {
      unit: 'queuectl-worker-mail@1.service',
      state: 'running',
      enabled: true,
      pid: 4711,
      since: '2026-11-17T14:37:02.000Z',
    },
  ]);
  assert.equal(views[1]?.database, it.queue.db);
  assert.match(
    await it.text('service', 'status'),
    /queuectl-worker-mail@1\.service {2}running {2}yes +4711 .* mail, news .*queue\.db/,
  );
});

test('uninstalling stops the service, lets jobs finish, and leaves nothing behind', async (t) => {
  const it = machine(t);
  await it.text('service', 'install', 'worker', '-e', 'TOKEN=x');
  await it.text('service', 'install', 'worker', '--name', 'other');
  it.calls();
  assert.match(
    await it.text('service', 'uninstall', 'worker'),
    /^removed {2}.*@\.service\nremoved {2}.*\.env\nkept {5}.*queue\.db\n$/,
  );
  assert.deepEqual(it.calls(), [
    'systemctl --user disable queuectl-worker@1.service',
    'systemctl --user stop queuectl-worker@1.service',
    'systemctl --user daemon-reload',
    'systemctl --user reset-failed queuectl-worker@1.service',
  ]);
  assert.deepEqual(fs.readdirSync(path.join(it.config, 'systemd/user')), ['queuectl-worker-other@.service']);
  assert.deepEqual(fs.readdirSync(path.join(it.config, 'queuectl')), []);
  assert.match(await it.rejected(3, 'service', 'uninstall', 'worker'), /service 'worker' is not installed/);
});

test('a password is stored in a file that only its owner can read, and nowhere else', async (t) => {
  const it = machine(t);
  const args = ['service', 'install', 'server', '--db', SECRET, '-e', 'API_KEY=hush "$hush" `100%`'];
  const printed = await it.queue.run([...args, '--print'], { env: { ...it.env, PGSSLMODE: 'require' } });
  assert.doesNotMatch(printed.stdout + printed.stderr, /very|hush/);
  assert.match(printed.stderr, /readable only by the owner: QUEUECTL_DB, PGSSLMODE, API_KEY/);
  assert.equal(fs.existsSync(it.config), false, 'nothing was changed');

  assert.doesNotMatch(await it.text(...args), /very|hush/);
  const unit = unitOf(it, 'queuectl-server.service');
  assert.doesNotMatch(unit, /very|hush/);
  const [file = ''] = valuesOf(unit, 'EnvironmentFile');
  assert.equal(modeOf(file), 0o600);
  assert.match(fs.readFileSync(file, 'utf8'), /^QUEUECTL_DB="postgres:\/\/me:very%20secret@127/m);
  assert.deepEqual(valuesOf(unit, 'StandardOutput'), ['null'], 'what it prints holds a token');

  await it.text('service', 'install', 'server');
  assert.equal(fs.existsSync(file), false, 'a secret that is needed no more is deleted');
});

test('install reports whether the service runs without a login, and how to change that', async (t) => {
  const it = machine(t);
  const install = (): Promise<{ stderr: string }> => it.queue.run(['service', 'install', 'worker'], { env: it.env });
  assert.match((await install()).stderr, /lingering is off.*loginctl enable-linger \S+\n/);
  it.mark('linger');
  assert.equal((await install()).stderr, '');
});

test('logs come from the journal, also live', async (t) => {
  const it = machine(t);
  await it.text('service', 'install', 'worker', '--count', '2');
  it.calls();
  assert.equal(await it.text('service', 'logs', 'worker', '--tail', '7'), 'the worker has started\nk3f9  completed\n');
  const units = '--unit queuectl-worker@1.service --unit queuectl-worker@2.service';
  assert.deepEqual(it.calls(), [`journalctl --user --lines 7 ${units}`]);

  const following = it.queue.start(['service', 'logs', 'worker', '-f'], { env: it.env });
  await until('it follows', () => following.stdout().includes('completed'));
  assert.match(it.calls().join(), /--follow/);
  following.kill('SIGINT');
  const { stdout } = await following.ended;
  assert.match(stdout, /the end\n$/);
});

test('without a service manager, the command reports that with an alternative', async (t) => {
  const it = machine(t);
  it.mark('offline');
  const said = await it.rejected(1, 'service', 'install', 'worker', '--count', '2');
  assert.match(
    said,
    /systemd is not available.*No medium found\n hint: see .* --dry-run; or add this line to crontab -e: @reboot QUEUECTL_DB=/,
  );
  assert.match(said, / worker start --count 2 --concurrency 1\n$/);
  assert.equal(fs.existsSync(it.config), false, 'nothing was written');
  assert.match(await it.text('service', 'install', 'worker', '--print'), /^KillMode=mixed$/m);
});

test('a user who came through sudo is asked to log in, as systemd has no session for them', async (t) => {
  const it = machine(t);
  it.mark('no-session');
  const said = await it.rejected(1, 'service', 'install', 'worker');
  assert.match(
    said,
    /the service is running, but \S+ has no login session \(.*No medium found\); log in as \S+ directly, not with sudo or su/,
  );
});

test('a file written by another program is left alone', async (t) => {
  const it = machine(t);
  fs.mkdirSync(path.join(it.config, 'systemd/user'), { recursive: true });
  fs.writeFileSync(unitPath(it, 'queuectl-server.service'), '[Service]\nExecStart=/mine\n');
  assert.match(await it.rejected(4, 'service', 'install', 'server'), /was not written by queuectl/);
  assert.match(await it.rejected(3, 'service', 'uninstall', 'server'), /is not installed/);
  assert.deepEqual(await it.json('service', 'status'), []);
  assert.deepEqual(it.calls(), []);
});

test('invalid input is rejected before anything is written', async (t) => {
  const it = machine(t);
  const wrong: [args: string, said: RegExp][] = [
    ['install', /missing WORKER\|SERVER/],
    ['install wroker', /unknown service 'wroker': use worker or server/],
    ['install worker server', /unexpected argument/],
    ['install worker --port 1', /--port is an option of a server service/],
    ['install server --count 2', /--count is an option of a worker service/],
    ['install worker --count 0', /--count must be from 1/],
    ['install worker --drain', /--exit-when-empty does not apply to services/],
    ['install worker --queue a/b', /invalid queue name 'a\/b'/],
    ['install worker --name ../x', /invalid service name '\.\.\/x'/],
    ['install worker -e 1X=2', /invalid variable name '1X'/],
    ['install worker --stop-timeout 0s', /--stop-timeout/],
    ['install server --host 0.0.0.0', /./],
    ['install server --tls-cert a.pem', /require each other/],
    ['install server --port 0', /a service needs a fixed port/],
    ['install worker --system', /missing --user NAME/],
    ['install worker --user me', /add --system/],
    ['install worker --system --user no.such.user', /user 'no\.such\.user' not found on this host/],
    ['logs worker --tail -1', /--tail/],
  ];
  for (const [args, said] of wrong) assert.match(await it.rejected(2, 'service', ...args.split(' ')), said, args);
  assert.equal(fs.existsSync(it.config), false);
});

test("a system service runs as the named user, on that user's queue", async (t) => {
  const it = machine(t);
  const { username, homedir } = os.userInfo();
  const args = ['service', 'install', 'worker', '--system', '--user', username, '--stop-timeout', '5m', '--print'];
  const { stdout } = await it.queue.run(args, { env: { ...it.env, QUEUECTL_HOME: undefined } });
  assert.deepEqual(valuesOf(stdout, 'User'), [username]);
  assert.deepEqual(valuesOf(stdout, 'TimeoutStopSec'), ['300']);
  assert.deepEqual(valuesOf(stdout, 'WantedBy'), ['multi-user.target']);
  assert.deepEqual(valuesOf(stdout, 'Environment'), [`QUEUECTL_DB=${homedir}/.local/share/queuectl/queue.db`]);
});

test('only root can install a system service, and other users are rejected before anything is written', async (t) => {
  const it = machine(t);
  fs.chmodSync(it.queue.folder, 0o755);
  const args = ['service', 'install', 'worker', '--system', '--user', os.userInfo().username];
  const said = await it.queue.rejected(1, args, { env: it.env, unprivileged: true });
  assert.match(said, /system services require root\n hint: run sudo /);
});

test("a system service is stored in the system's directories, with its secrets next to it", async (t) => {
  const it = machine(t);
  const etc = path.join(it.queue.folder, 'etc');
  const manager = new Systemd({ environment: { ...process.env, ...it.env }, isSystem: true, etc });
  const service: Service = {
    ...{ role: 'server', name: null, count: 1, place: '/q', queues: null, url: 'http://x', log: '/log' },
    ...{
      isSystem: true,
      runAs: 'me',
      command: ['/node'],
      variables: {},
      secrets: { A: 'b' },
      stopSeconds: 60,
    },
  };
  const { units } = await install(manager, service, '');
  assert.deepEqual(units, ['queuectl-server.service']);
  assert.equal(modeOf(path.join(etc, 'queuectl/queuectl-server.env')), 0o600);
  assert.deepEqual(
    installedBy(manager).map(({ role }) => role),
    ['server'],
  );
  assert.equal((await manager.states(units))[0]?.state, 'running');
  assert.equal(await manager.linger(), null, 'it needs nobody to be logged in');
  assert.ok(it.calls().every((call) => !call.includes('--user')));
  await uninstall(manager, service);
  assert.deepEqual(fs.readdirSync(path.join(etc, 'systemd/system')), []);
});

test('on launchd each worker process has a property list', async (t) => {
  const it = machine(t, 'launchd');
  const agents = path.join(it.env.HOME ?? '', 'Library/LaunchAgents');
  const domain = `gui/${process.getuid?.()}`;
  await it.text('service', 'install', 'worker', '--count', '2', '-e', 'TOKEN=hush');
  assert.deepEqual(fs.readdirSync(agents), ['queuectl-worker.1.plist', 'queuectl-worker.2.plist']);
  const plist = fs.readFileSync(path.join(agents, 'queuectl-worker.1.plist'), 'utf8');
  assert.match(plist, /<key>ExitTimeOut<\/key>\s*<integer>0<\/integer>/);
  assert.doesNotMatch(plist, /hush/);
  assert.deepEqual(it.calls(), [
    ...[
      `launchctl enable ${domain}/queuectl-worker.1`,
      `launchctl bootstrap ${domain} ${agents}/queuectl-worker.1.plist`,
    ],
    ...[
      `launchctl enable ${domain}/queuectl-worker.2`,
      `launchctl bootstrap ${domain} ${agents}/queuectl-worker.2.plist`,
    ],
  ]);
  const [view] = await it.json<{ processes: Document[] }[]>('service', 'status');
  assert.equal(view?.processes[0]?.state, 'running');

  await it.text('service', 'install', 'worker', '--concurrency', '2', '-e', 'TOKEN=hush');
  assert.deepEqual(fs.readdirSync(agents), ['queuectl-worker.1.plist'], 'the second one has gone');
  assert.match(it.calls().join('\n'), /bootout .*worker\.2\n.*bootout .*worker\.1\n.*enable .*\n.*bootstrap /);
  await it.text('service', 'uninstall', 'worker');
  assert.deepEqual(fs.readdirSync(agents), []);
  assert.deepEqual(fs.readdirSync(path.join(it.config, 'queuectl')), []);
});

test('a worker stopped by systemd lets its running job finish', async (t) => {
  const fleet = await newFleet(t);
  const it = new StandIn(new TestQueue(fleet.cli.folder), 'systemd');
  await it.text('service', 'install', 'worker', '--concurrency', '2', '-e', 'GREETING=from "the" service');
  const unit = unitOf(it, 'queuectl-worker@.service');
  const [program = '', ...args] = systemdCommand(valuesOf(unit, 'ExecStart')[0] ?? '');
  const open = valuesOf(unit, 'Environment').map((line) => systemdWords(line)[0]?.split(/=(.*)/s) ?? []);
  const [secrets = ''] = valuesOf(unit, 'EnvironmentFile');
  const service = spawn('/bin/sh', ['-c', 'set -a; . "$0"; exec "$@"', secrets, program, ...args], {
    env: { ...Object.fromEntries(open), PATH: '/usr/bin:/bin', HOME: it.env.HOME },
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = once(service, 'exit');
  const command = 'echo began >> beats; until [ -e end ]; do sleep 0.05; done; echo "$GREETING" >> beats';
  await fleet.add({ id: 'long', command });
  await fleet.untilLines('beats', 1);
  service.kill('SIGTERM'); // KillMode=mixed: to the main process alone
  await until('it is stopping', async () => (await fleet.queue.workers())[0]?.state === 'stopping');
  assert.equal((await fleet.job('long')).state, 'processing');
  fs.writeFileSync(fleet.path('end'), '');
  assert.deepEqual(await ended, [0, null], 'systemd takes it for a clean end and does not restart it');
  assert.equal((await fleet.job('long')).state, 'completed');
  assert.deepEqual(fleet.lines('beats'), ['began', 'from "the" service']);
});
