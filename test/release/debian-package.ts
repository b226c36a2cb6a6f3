// The life of the Debian package on a machine: installed, used, upgraded and removed with dpkg, below a directory that
// stands for the root of a system.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { deb } from '../../scripts/release/deb.ts';
import { isAlive } from '../support/fleet.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const DATE = new Date('2026-11-18T00:00:00Z');
const hasDpkg = spawnSync('dpkg', ['--version']).status === 0;
/** Builds of this project always have dpkg, so that the test cannot be forgotten there. */
const skip = !hasDpkg && process.env.CI !== 'true' && 'needs dpkg';

export function testDebianPackage(program: string, architecture: string): void {
  test('the Debian package is installed, upgraded and removed while a worker runs its jobs', { skip }, async (t) => {
    const machine = new Machine(t);
    const content = fs.readFileSync(program);
    const packages = ['1.0.0', '1.0.1'].map(async (version) => {
      const file = path.join(machine.folder, `queuectl_${version}.deb`);
      fs.writeFileSync(file, await deb({ version, architecture, program: content, date: DATE, level: 1 }));
      return file;
    });

    machine.dpkg('--install', (await packages[0]) ?? '');
    assert.equal(machine.installedVersion(), '1.0.0');
    const [worker] = JSON.parse(machine.queuectl('worker', 'start', '--json'));
    t.after(() => spawnSync('kill', ['-9', String(worker.pid)]));
    machine.enqueue('first');
    await machine.untilRunning('first');

    machine.dpkg('--install', (await packages[1]) ?? '');
    assert.equal(machine.installedVersion(), '1.0.1');
    await machine.finish('first');
    machine.enqueue('second');
    await machine.untilRunning('second');

    const said = machine.dpkg('--remove', 'queuectl');
    assert.match(said, /Queues were kept/);
    assert.deepEqual(machine.installedFiles(), []);
    await machine.finish('second', program);
    process.kill(worker.pid, 'SIGTERM');
    await until('the worker has stopped', () => !isAlive(worker.pid));
    const jobs: { state: string }[] = JSON.parse(machine.run(program, 'list', '--json'));
    assert.deepEqual(
      jobs.map(({ state }) => state),
      ['completed', 'completed'],
    );
  });
}

class Machine {
  readonly folder: string;
  private readonly root: string;

  constructor(t: TestContext) {
    this.folder = temporaryFolder(t, 'queuectl-debian-');
    this.root = path.join(this.folder, 'root');
    for (const folder of ['info', 'updates', 'triggers'])
      fs.mkdirSync(path.join(this.root, 'var/lib/dpkg', folder), { recursive: true });
    fs.writeFileSync(path.join(this.root, 'var/lib/dpkg/status'), '');
  }

  /** Scripts of the package run with DPKG_ROOT instead of in a chroot, which would need a shell. */
  dpkg(...args: string[]): string {
    const asRoot = process.getuid?.() === 0 ? [] : ['unshare', '--map-root-user'];
    const options = [
      `--root=${this.root}`,
      '--force-depends',
      '--force-script-chrootless',
      '--force-unsafe-io',
      `--log=${this.folder}/log`,
    ];
    const [first = '', ...rest] = [...asRoot, 'dpkg', ...options, ...args];
    const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
    const { status, stdout, stderr } = spawnSync(first, rest, { encoding: 'utf8', env: { ...process.env, PATH } });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  installedVersion(): string {
    const query = ['--admindir', `${this.root}/var/lib/dpkg`, '--status', 'queuectl'];
    const [, version = ''] = /^Version: (.*)$/m.exec(execFileSync('dpkg-query', query, { encoding: 'utf8' })) ?? [];
    return version;
  }

  /** Files, not directories, of the package. */
  installedFiles(): string[] {
    const found = fs.readdirSync(this.root, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && entry.parentPath.startsWith(`${this.root}/usr`))
      .map(({ name }) => name);
  }

  queuectl(...args: string[]): string {
    return this.run(path.join(this.root, 'usr/bin/queuectl'), ...args);
  }

  run(program: string, ...args: string[]): string {
    const env = { PATH: '/usr/bin:/bin', HOME: path.join(this.folder, 'home') };
    return execFileSync(program, args, { cwd: this.folder, env, encoding: 'utf8' });
  }

  enqueue(id: string): void {
    this.queuectl('enqueue', '--id', id, `touch ${id}.runs; until [ -e ${id}.may-end ]; do sleep 0.05; done`);
  }

  untilRunning(id: string): Promise<unknown> {
    return until(`${id} runs`, () => fs.existsSync(path.join(this.folder, `${id}.runs`)));
  }

  /** Ends the job and waits until it has completed. */
  async finish(id: string, program = path.join(this.root, 'usr/bin/queuectl')): Promise<void> {
    fs.writeFileSync(path.join(this.folder, `${id}.may-end`), '');
    this.run(program, 'wait', id);
  }
}
