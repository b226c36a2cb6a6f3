// Bundles the program into dist/: main.cjs holds all of it, queuectl.cjs starts it, main.cjs.map gives QUEUECTL_DEBUG the
// lines of the sources, guard.cjs is the small program that stands beside workers, and sources tells bin/queuectl what to
// compare dates with. Each file arrives whole, by a rename,
// whoever else builds or runs at the same time.
// One file, so that a worker that runs for weeks never loads a part of a later build. CommonJS, because that starts
// faster than modules do: 57 ms of CPU against 67 for `status`. Minified, because each page of it that Node touches costs
// 5 microseconds: 590 pages less without the one letter that was not ASCII, which had doubled the size of all others, and
// 360 less again without comments and long names.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { build } from '../toolchain/node_modules/esbuild/lib/main.js';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const ownSources = [
  'package.json',
  'package-lock.json',
  'toolchain/package-lock.json',
  'scripts/build.ts',
  'scripts/entry.cjs',
  'src/worker/guard-main.ts',
  'src/worker/guard-process.ts',
];

const noDigest = `/*${'0'.repeat(60)}*/`;

const startedAt = new Date();
const { program, map, sources } = await bundle();
fs.mkdirSync(dist, { recursive: true });
publish('main.cjs.map', map);
publish('main.cjs', program);
publish('guard.cjs', await bundleGuard());
publish('sources', `sources='\n${sources.join('\n')}\n'\n`);
publish('queuectl.cjs', read('scripts/entry.cjs'));

async function bundle(): Promise<{ program: string; map: string; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    nodePaths: [path.join(root, 'toolchain/node_modules')], // what is bundled, where the development packages are not installed
    outfile: path.join(dist, 'main.cjs'),
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    legalComments: 'none', // THIRD-PARTY-LICENSES has them
    sourcemap: 'linked',
    sourcesContent: false,
    supported: { 'dynamic-import': false }, // all of it is here, and V8's cache has no way to answer it
    banner: { js: `${noDigest}(function(exports,require,module){` },
    footer: { js: '})' },
    define: { QUEUECTL_VERSION: JSON.stringify(JSON.parse(read('package.json')).version) },
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'error' },
  }).catch(() => process.exit(1)); // esbuild has said why
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.includes('node_modules/'));
  const [map = '', program = ''] = outputFiles.map(({ text }) => text);
  if (Buffer.byteLength(program) !== program.length)
    throw new Error('the bundle is not ASCII, and read as if it were');
  return { program: withDigest(program), map, sources: [...ownSources, ...inputs] };
}

/** It has little to do and loads no more than that. */
async function bundleGuard(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/worker/guard-main.ts'],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    logLevel: 'warning',
  }).catch(() => process.exit(1));
  return outputFiles[0]?.text ?? '';
}

/** By it scripts/entry.cjs knows whether what it kept was compiled from this very text. */
function withDigest(program: string): string {
  const digest = createHash('sha256').update(program).digest('hex');
  return program.replace(noDigest, `/*${digest.slice(0, noDigest.length - 4)}*/`);
}

function read(name: string): string {
  return fs.readFileSync(path.join(root, name), 'utf8');
}

/** Dated to the start of the build: a source saved while it ran counts as newer. */
function publish(name: string, text: string): void {
  const made = path.join(dist, `.${name}.${process.pid}`);
  fs.writeFileSync(made, text);
  fs.utimesSync(made, startedAt, startedAt);
  fs.renameSync(made, path.join(dist, name));
}
