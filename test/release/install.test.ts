// packaging/install.sh with a release in a directory: what it installs, what it rejects, and what is left after either.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tar } from '../../scripts/release/archive.ts';
import { temporaryFolder } from '../support/folder.ts';

const SCRIPT = path.join(import.meta.dirname, '..', '..', 'packaging', 'install.sh');
const PLATFORMS = ['linux-x64', 'linux-arm64', 'macos-x64', 'macos-arm64'];

interface Place {
  readonly release: string;
  readonly home: string;
}

/** A release whose program is a script that prints its version, and an empty home directory. */
function place(t: Parameters<typeof temporaryFolder>[0], version = '1.0.0'): Place {
  const folder = temporaryFolder(t);
  const [release, home] = [path.join(folder, 'release'), path.join(folder, 'home')];
  fs.mkdirSync(home);
  publish(release, version);
  return { release, home };
}

function publish(release: string, version: string, program = `echo 'queuectl ${version}'`): void {
  fs.rmSync(release, { recursive: true, force: true });
  fs.mkdirSync(release);
  const sums = PLATFORMS.map((platform) => {
    const name = `queuectl-${version}-${platform}`;
    const file = (where: string, content: string, mode = 0o644) => ({
      path: `${name}/${where}`,
      mode,
      content: Buffer.from(content),
    });
    const files = [
      file('bin/queuectl', `#!/bin/sh\n${program}\n`, 0o755),
      file('share/man/man1/queuectl.1', '.Dd\n'),
      file('share/bash-completion/completions/queuectl', 'complete\n'),
      file('LICENSE', 'MIT\n'),
    ];
    const archive = gzipSync(tar(files, new Date(0)));
    fs.writeFileSync(path.join(release, `${name}.tar.gz`), archive);
    return `${createHash('sha256').update(archive).digest('hex')}  ${name}.tar.gz\n`;
  });
  fs.writeFileSync(path.join(release, 'SHA256SUMS'), sums.join(''));
}

function install({ release, home }: Place, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, uid?: number) {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [SCRIPT, '--from', release, '--prefix', `${home}/.local`, ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, ...env },
      ...(uid !== undefined && { uid }),
    },
  );
  return { status, stdout, stderr };
}

/** `send` answers the request for a file of the release. */
async function installFromUrl(
  t: TestContext,
  { release, home }: Place,
  send: (file: string, response: http.ServerResponse) => void,
) {
  const server = http.createServer(({ url = '' }, response) => {
    const file = path.join(release, path.basename(url));
    fs.existsSync(file) ? send(file, response) : response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const from = `http://127.0.0.1:${port}`;
  const child = spawn('sh', [SCRIPT, '--from', from, '--prefix', `${home}/.local`], {
    env: { PATH: process.env.PATH, HOME: home },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

const filesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

const INSTALLED = [
  '.local/bin/queuectl',
  '.local/share/bash-completion/completions/queuectl',
  '.local/share/man/man1/queuectl.1',
  '.local/share/queuectl/installed-files',
];

describe('install.sh', () => {
  test('installs the program, its manual pages and completions, and prints what it did', (t) => {
    const here = place(t);
    const { status, stdout, stderr } = install(here);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^downloading queuectl-1\.0\.0-\S+\.tar\.gz$/m);
    assert.match(stdout, /^installed queuectl 1\.0\.0 to .*\/home\/\.local\/bin\/queuectl$/m);
    assert.match(stdout, /next: add .*\/\.local\/bin to your PATH/);
    assert.deepEqual(filesBelow(here.home), INSTALLED);
  });

  test('suggests a first command if the directory is on the PATH', (t) => {
    const here = place(t);
    const { stdout } = install(here, [], { PATH: `${process.env.PATH}:${here.home}/.local/bin` });
    assert.match(stdout, /next: queuectl run 'echo hello'/);
  });

  test('replaces an older version that it installed', (t) => {
    const here = place(t);
    install(here);
    publish(here.release, '1.1.0');
    assert.match(install(here).stdout, /installed queuectl 1\.1\.0/);
    assert.deepEqual(filesBelow(here.home), INSTALLED);
  });

  test('downloads from a URL', async (t) => {
    const here = place(t);
    const { stdout } = await installFromUrl(t, here, (file, response) => response.end(fs.readFileSync(file)));
    assert.match(stdout, /installed queuectl 1\.0\.0/);
  });

  test('--uninstall removes everything that it installed and keeps the queue', (t) => {
    const here = place(t);
    install(here);
    const queue = path.join(here.home, '.local/share/queuectl/queue.db');
    fs.writeFileSync(queue, '');
    const { status, stdout } = install(here, ['--uninstall']);
    assert.equal(status, 0);
    assert.match(stdout, /removed queuectl from .*\n {2}kept your queue: .*\.local\/share\/queuectl\/queue\.db\n/);
    assert.deepEqual(filesBelow(here.home), ['.local/share/queuectl/queue.db']);
  });

  test('--uninstall names the queue of QUEUECTL_DB without a password', (t) => {
    const here = place(t);
    for (const [db, kept] of [
      ['/srv/queue.db', '/srv/queue.db'],
      ['postgres://me:hunter2@db/queue', 'the database that QUEUECTL_DB names'],
    ]) {
      install(here);
      const { stdout } = install(here, ['--uninstall'], { QUEUECTL_DB: db });
      assert.ok(stdout.endsWith(`\n  kept your queue: ${kept}\n`), stdout);
    }
  });

  test('--uninstall without an installation is an error', (t) => {
    const { status, stderr } = install(place(t), ['--uninstall']);
    assert.equal(status, 1);
    assert.match(stderr, /^error: queuectl was not installed to .* by this script\n hint: /);
  });
});

describe('install.sh leaves nothing behind', () => {
  const rejected = (here: Place, pattern: RegExp, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const before = filesBelow(here.home);
    const { status, stderr } = install(here, args, env);
    assert.equal(status, 1, stderr);
    assert.match(stderr, pattern);
    assert.deepEqual(filesBelow(here.home), before);
  };

  test('if the checksum is wrong', (t) => {
    const here = place(t);
    for (const name of fs.readdirSync(here.release).filter((one) => one.endsWith('.gz')))
      fs.appendFileSync(path.join(here.release, name), 'x');
    rejected(here, /^error: the checksum of queuectl-1\.0\.0-\S+ is wrong; nothing was installed\n hint: /);
  });

  test('if the download is cut off', (t) => {
    const here = place(t);
    for (const name of fs.readdirSync(here.release).filter((one) => one.endsWith('.gz')))
      fs.truncateSync(path.join(here.release, name), 50);
    rejected(here, /checksum .* is wrong; nothing was installed/);
  });

  test('if the connection breaks', async (t) => {
    const here = place(t);
    const { stderr } = await installFromUrl(t, here, (file, response) => {
      const content = fs.readFileSync(file);
      const isArchive = file.endsWith('.gz');
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, isArchive ? 50 : content.length), () => {
        isArchive ? response.destroy() : response.end();
      });
    });
    assert.match(stderr, /^error: cannot download http:\S+\.tar\.gz\n hint: check the connection, .+$/m);
    assert.deepEqual(filesBelow(here.home), []);
  });

  test('if the home directory is read-only', (t) => {
    const here = place(t);
    fs.chmodSync(path.dirname(here.home), 0o755);
    fs.chmodSync(here.home, 0o555);
    const { status, stderr } = install(here, [], {}, process.getuid?.() === 0 ? 65_534 : undefined);
    assert.equal(status, 1);
    assert.match(stderr, /^error: cannot write to .*\.local\n hint: choose another directory: --prefix DIRECTORY\n$/);
    assert.deepEqual(fs.readdirSync(here.home), []);
  });

  test('if the release does not exist', (t) => {
    const here = place(t);
    fs.rmSync(here.release, { recursive: true });
    rejected(here, /^error: cannot read .*SHA256SUMS\n hint: /);
  });

  test('if the release has nothing for this system', (t) => {
    const here = place(t);
    fs.writeFileSync(path.join(here.release, 'SHA256SUMS'), `${'0'.repeat(64)}  queuectl-1.0.0-plan9-mips.tar.gz\n`);
    rejected(here, /^error: there is no queuectl for \S+ in /);
  });

  test('if another queuectl is in the way, unless --force is given', (t) => {
    const here = place(t);
    fs.mkdirSync(path.join(here.home, '.local/bin'), { recursive: true });
    fs.symlinkSync('/nowhere/bin/queuectl', path.join(here.home, '.local/bin/queuectl'));
    rejected(here, /^error: .*\/bin\/queuectl exists and was not installed by this script\n hint: .*--force/);
    assert.equal(install(here, ['--force']).status, 0);
    assert.ok(fs.lstatSync(path.join(here.home, '.local/bin/queuectl')).isFile());
  });

  test('if a directory is in the way', (t) => {
    const here = place(t);
    fs.mkdirSync(path.join(here.home, '.local/bin/queuectl'), { recursive: true });
    rejected(here, /^error: .*\/bin\/queuectl is a directory/);
  });

  test('if the prefix cannot be written to', (t) => {
    const here = place(t);
    fs.writeFileSync(path.join(here.home, '.local'), 'a file');
    rejected(here, /^error: cannot write to .*\.local\n hint: choose another directory: --prefix DIRECTORY/);
  });

  test('if the processor is unknown', (t) => {
    const here = place(t);
    const fake = path.join(here.release, 'uname');
    fs.writeFileSync(fake, '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo mips\n', { mode: 0o755 });
    rejected(here, /^error: there is no queuectl for the processor mips\n hint: .*npm install -g queuectl/, [], {
      PATH: `${here.release}:${process.env.PATH}`,
    });
  });

  test('if the program does not run here', (t) => {
    const here = place(t);
    publish(here.release, '1.0.0', 'echo "$0: error while loading shared libraries: libatomic.so.1" >&2; exit 127');
    const { status, stderr } = install(here);
    assert.equal(status, 1);
    assert.equal(
      stderr,
      'error: queuectl does not run on this system: error while loading shared libraries: libatomic.so.1\n' +
        ' hint: install the libraries that it needs, on Debian and Ubuntu: apt install libatomic1 libstdc++6\n',
    );
    assert.deepEqual(filesBelow(here.home), []);
  });

  test('if an option is unknown', (t) => {
    rejected(place(t), /^error: unknown option '--frm'\n hint: show the usage/, ['--frm']);
  });
});
