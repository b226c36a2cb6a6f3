// A Debian package, written without Debian's tools. Compressed with gzip, which every version of dpkg reads.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ar, type Entry, tar } from './archive.ts';
import { executable, licenses, moved, sharedFiles, units } from './distribution.ts';

export interface DebianPackage {
  readonly version: string;
  readonly architecture: string;
  readonly program: Buffer;
  readonly date: Date;
  /** Of compression: 9 is as small as possible. */
  readonly level?: number;
}

export async function deb({ version, architecture, program, date, level = 9 }: DebianPackage): Promise<Buffer> {
  const files = [
    ...moved([executable(program), ...(await sharedFiles(date, { isDebian: true }))], './usr'),
    ...moved(licenses(), './usr/share/doc/queuectl'),
    ...moved(units(), './usr/lib/systemd/system'),
  ];
  const control = [
    entry('control', controlText(version, architecture, files)),
    entry('md5sums', files.map(({ path, content }) => `${md5(content)}  ${path.slice(2)}\n`).join('')),
    entry('postinst', POSTINST, 0o755),
    entry('prerm', PRERM, 0o755),
    entry('postrm', POSTRM, 0o755),
  ];
  return ar(
    [
      { path: 'debian-binary', content: Buffer.from('2.0\n') },
      { path: 'control.tar.gz', content: gzipSync(tar(control, date), { level: 9 }) },
      { path: 'data.tar.gz', content: gzipSync(tar(files, date), { level }) },
    ],
    date,
  );
}

const entry = (name: string, text: string, mode = 0o644): Entry => ({
  path: `./${name}`,
  mode,
  content: Buffer.from(text),
});

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');

const controlText = (version: string, architecture: string, files: readonly Entry[]): string => `Package: queuectl
Version: ${version.replace('-', '~')}
Architecture: ${architecture}
Maintainer: queuectl maintainers <queuectl@users.noreply.github.com>
Installed-Size: ${Math.ceil(files.reduce((total, { content }) => total + content.length, 0) / 1024)}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 6)
Recommends: bubblewrap (>= 0.8)
Section: utils
Priority: optional
Homepage: https://github.com/queuectl/queuectl
Description: durable job queue for shell commands
 queuectl stores commands as jobs in SQLite or PostgreSQL. Workers run them in
 the background, retry failed jobs with backoff, and keep their output. It has
 schedules, workflows, a dashboard, an HTTP API, limits and sandboxes.
`;

/** DPKG_ROOT is set if dpkg installs into a directory, for another system. */
const RELOAD = '[ -n "$DPKG_ROOT" ] || [ ! -d /run/systemd/system ] || systemctl --system daemon-reload || true';

const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  ${RELOAD}
fi
`;

/** Workers finish their jobs. An upgrade leaves them running: they keep the program that they have started with. */
const PRERM = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl stop --no-block 'queuectl-worker@*' 'queuectl-server@*' || true
fi
`;

const POSTRM = `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  ${RELOAD}
fi
if [ "$1" = remove ]; then
  echo 'queuectl was removed. Queues were kept: ~/.local/share/queuectl/queue.db of each user, unless QUEUECTL_DB or QUEUECTL_HOME is set.'
  for queue in /root/.local/share/queuectl/queue.db /home/*/.local/share/queuectl/queue.db; do
    [ ! -e "$queue" ] || echo "  kept: $queue"
  done
fi
`;
