// npm run release: everything that a release consists of, in release/. The same sources give the same bytes.
//   --platform NAME   only this platform; may be repeated
//   --out DIRECTORY   another directory, which must be empty

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { tar } from './archive.ts';
import { deb } from './deb.ts';
import { executable, licenses, moved, sharedFiles, units } from './distribution.ts';
import { executableFor } from './executable.ts';
import { nodeFor, PLATFORMS, type Platform } from './platforms.ts';
import { RECIPES, recipe } from './recipes.ts';
import { sbom } from './sbom.ts';

const root = path.join(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: { platform: { type: 'string', multiple: true }, out: { type: 'string' } },
});
const usual = path.join(root, 'release');
const out = path.resolve(values.out ?? usual);
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const date = releaseDate();

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'queuectl-release-'));
try {
  await release(chosenPlatforms());
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
for (const name of fs.readdirSync(out)) console.log(`${megabytes(name)}  ${name}`);

async function release(platforms: readonly Platform[]): Promise<void> {
  emptyTarget();
  progress('building the program');
  execFileSync(path.join(root, 'scripts', 'prepare'), ['--clean'], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const platform of platforms) await releaseFor(platform);
  progress('packing for npm');
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  publish(`queuectl-${version}.cdx.json`, Buffer.from(sbom(version, date)));
  publishRecipes(platforms);
  publish('install.sh', fs.readFileSync(path.join(root, 'packaging', 'install.sh')), 0o755);
  publish('SHA256SUMS', Buffer.from(checksums()));
}

/** Only the usual directory is emptied. Another one may hold anything. */
function emptyTarget(): void {
  if (out === usual) fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  if (fs.readdirSync(out).length > 0) throw new Error(`${out} is not empty: choose another directory`);
}

async function releaseFor(platform: Platform): Promise<void> {
  const name = `queuectl-${version}-${platform.name}`;
  progress(`${name}: injecting the program into Node`);
  const node = nodeFor(platform, path.join(root, 'toolchain', 'node_modules', '.nodes'));
  const program = fs.readFileSync(executableFor(platform, node, work));
  publish(name, program, 0o755);
  progress(`${name}: packing`);
  const files = [executable(program), ...(await sharedFiles(date, { isDebian: false })), ...licenses()];
  const services = platform.os === 'linux' ? moved(units(), 'lib/systemd/system') : [];
  publish(`${name}.tar.gz`, gzipSync(tar(moved([...files, ...services], name), date), { level: 9 }));
  if (platform.debian) {
    const content = await deb({ version, architecture: platform.debian, program, date });
    publish(`queuectl_${version}_${platform.debian}.deb`, content);
  }
}

/** They name the archives of all platforms. */
function publishRecipes(platforms: readonly Platform[]): void {
  if (platforms.length < PLATFORMS.length) return;
  const archive = (name: string): string => `queuectl-${version}-${name}.tar.gz`;
  const digests = new Map(PLATFORMS.map(({ name }) => [name, digestOf(archive(name))]));
  for (const name of RECIPES) publish(path.basename(name), Buffer.from(recipe(name, version, digests)));
}

function chosenPlatforms(): readonly Platform[] {
  const names = values.platform ?? PLATFORMS.map(({ name }) => name);
  return names.map((name) => {
    const found = PLATFORMS.find((platform) => platform.name === name);
    if (!found)
      throw new Error(`unknown platform '${name}': use one of ${PLATFORMS.map((one) => one.name).join(', ')}`);
    return found;
  });
}

/** The day of this version in the changelog, or else of the last commit: dates of files would make each build different. */
function releaseDate(): Date {
  const changelog = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const [, day] = new RegExp(`^## ${RegExp.escape(version)} - (\\d{4}-\\d{2}-\\d{2})$`, 'm').exec(changelog) ?? [];
  const commit = day ?? execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: root, encoding: 'utf8' }).trim();
  return new Date(`${commit}T00:00:00Z`);
}

function checksums(): string {
  const names = fs.readdirSync(out).sort();
  return names.map((name) => `${digestOf(name)}  ${name}\n`).join('');
}

function digestOf(name: string): string {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(out, name)))
    .digest('hex');
}

function publish(name: string, content: Buffer, mode = 0o644): void {
  fs.writeFileSync(path.join(out, name), content, { mode });
}

function megabytes(name: string): string {
  return `${(fs.statSync(path.join(out, name)).size / 1e6).toFixed(1)} MB`.padStart(8);
}

function progress(line: string): void {
  console.error(line);
}
