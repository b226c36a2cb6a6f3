// Identifies this program: version, commit, and how it was installed.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitOf } from './commit.ts';
import { builtCommit, version } from './version.ts';

export type Installation = 'clone' | 'npm' | 'deb' | 'rpm' | 'pacman' | 'homebrew' | 'install.sh' | 'executable';

export interface Build {
  readonly version: string;
  readonly commit: string | null;
  readonly installation: Installation;
}

export function thisBuild(): Build {
  const root = dirname(dirname(process.argv[1] ?? ''));
  const installation = isExecutable() ? installationOf(process.execPath) : nodeInstallation(root);
  // A clone is not built again if only its documentation changes.
  const commit = (installation === 'clone' ? commitOf(root) : null) ?? builtCommit;
  return { version, commit, installation };
}

/** For people: `1.0.0 (commit 1a2b3c4, clone)`. */
export const buildText = ({ version, commit, installation }: Build): string =>
  `${version} (${commit === null ? '' : `commit ${shortened(commit)}, `}${installation})`;

/** For comparisons, in the form of semantic versioning: `1.0.0+1a2b3c4`. */
export const fullVersion = ({ version, commit }: Pick<Build, 'version' | 'commit'> = thisBuild()): string =>
  commit === null ? version : `${version}+${shortened(commit)}`;

/** Compares two full versions. A program that was built without git has no commit, so only its version counts. */
export const isSameBuild = (one: string, other: string): boolean =>
  one === other || (versionIn(one) === versionIn(other) && (one === versionIn(one) || other === versionIn(other)));

const versionIn = (full: string): string => full.split('+')[0] ?? full;

const shortened = (commit: string): string => commit.slice(0, 7);

const isExecutable = (): boolean => process.getBuiltinModule('node:sea').isSea();

const nodeInstallation = (root: string): Installation =>
  existsSync(join(root, 'toolchain', 'package.json')) ? 'clone' : 'npm';

/** The records of package managers on the hosts where they install programs to /usr/bin. */
const RECORDS: readonly (readonly [Installation, string])[] = [
  ['deb', '/var/lib/dpkg/info/queuectl.list'],
  ['pacman', '/var/lib/pacman/local'],
  ['rpm', '/usr/lib/sysimage/rpm'],
  ['rpm', '/var/lib/rpm'],
];

function installationOf(program: string): Installation {
  if (program.includes('/Cellar/')) return 'homebrew';
  if (existsSync(join(dirname(program), '..', 'share', 'queuectl', 'installed-files'))) return 'install.sh';
  const record = program === '/usr/bin/queuectl' && RECORDS.find(([, file]) => existsSync(file));
  return record ? record[0] : 'executable';
}
