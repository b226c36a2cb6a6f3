// Bundles the program into dist/: one folder a build, named after its content; queuectl.mjs, which points to it; and
// sources, which tells bin/queuectl what to compare dates with. Each arrives whole, by a rename, whoever else builds.
// The last few builds stay, because a worker that started from one still loads parts of it on demand.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { build, type OutputFile } from '../toolchain/node_modules/esbuild/lib/main.js';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const keptBuilds = 10;
const ownSources = [
  'package.json',
  'package-lock.json',
  'toolchain/package-lock.json',
  'scripts/build.ts',
  'scripts/entry.mjs',
];

const startedAt = new Date();
const { files, sources } = await bundle();
const name = nameAfterContent(files);
publishFolder(name, files);
publish('sources', `sources='\n${sources.join('\n')}\n'\n`);
publish(
  'queuectl.mjs',
  fs.readFileSync(path.join(root, 'scripts/entry.mjs'), 'utf8').replace('{build}', name),
);
prune(name, process.argv.includes('--only-this-build') ? 0 : keptBuilds);

async function bundle(): Promise<{ files: OutputFile[]; sources: string[] }> {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { QUEUECTL_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  }).catch(() => process.exit(1)); // esbuild has said why
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.includes('node_modules/'));
  return { files: outputFiles, sources: [...ownSources, ...inputs] };
}

function nameAfterContent(files: OutputFile[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.path).update(file.contents);
  return hash.digest('hex').slice(0, 12);
}

function publishFolder(name: string, files: OutputFile[]): void {
  const target = path.join(dist, name);
  const made = path.join(dist, `.new.${process.pid}`);
  fs.mkdirSync(made, { recursive: true });
  for (const file of files) fs.writeFileSync(path.join(made, path.basename(file.path)), file.contents);
  try {
    fs.renameSync(made, target);
  } catch {
    fs.rmSync(made, { recursive: true }); // the same content is there already
  }
  fs.utimesSync(target, startedAt, startedAt);
}

/** Dated to the start of the build: a source saved while it ran counts as newer. */
function publish(name: string, text: string): void {
  const made = path.join(dist, `.${name}.${process.pid}`);
  fs.writeFileSync(made, text);
  fs.utimesSync(made, startedAt, startedAt);
  fs.renameSync(made, path.join(dist, name));
}

function prune(current: string, kept: number): void {
  const dateOf = (folder: string) => fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const others = fs
    .readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== current)
    .map((entry) => path.join(dist, entry.name))
    .sort((a, b) => dateOf(b) - dateOf(a));
  for (const folder of others.slice(kept)) fs.rmSync(folder, { recursive: true, force: true });
}
