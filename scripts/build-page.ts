// Bundles the dashboard into dist/page/: index.html, and assets/ named after their content, each also compressed.
// index.html is written last, so that its assets always exist. Assets of earlier builds are kept for a while for open
// browser tabs.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type OutputFile } from '../toolchain/node_modules/esbuild/lib/main.js';

const root = path.join(import.meta.dirname, '..');
const KEEP_OLD_MS = process.argv.includes('--clean') ? 0 : 10 * 60_000;

export interface PageOptions {
  /** Target directory, dist/page. */
  readonly folder: string;
  /** Timestamp for all files of the build. */
  readonly startedAt: Date;
}

/** Returns the sources of the dashboard. */
export async function buildPage({ folder, startedAt }: PageOptions): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'page/main.tsx', 'live-worker': 'page/live-worker.ts' },
    nodePaths: [path.join(root, 'toolchain/node_modules')],
    outdir: path.join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}', // tsconfig files are for type checking only
    minify: true,
    legalComments: 'none', // included in THIRD-PARTY-LICENSES
    logLevel: 'warning',
  }).catch(() => process.exit(1)); // esbuild has printed the reason
  const icon = iconFile(folder);
  const assets = [...outputFiles.map(({ path, contents }) => ({ path, contents })), icon];
  fs.mkdirSync(path.join(folder, 'assets'), { recursive: true });
  for (const { path: file, contents } of assets) publishCompressed(file, contents, startedAt);
  publish(path.join(folder, 'index.html'), Buffer.from(indexHtml(outputFiles, icon.path)), startedAt);
  removeOld(path.join(folder, 'assets'), new Set(assets.map((one) => path.basename(one.path))), startedAt);
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.includes('node_modules/'));
  return ['scripts/build-page.ts', 'page/index.html', 'page/icon.svg', ...inputs];
}

function iconFile(folder: string): { path: string; contents: Uint8Array } {
  const contents = fs.readFileSync(path.join(root, 'page/icon.svg'));
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  return { path: path.join(folder, 'assets', `icon-${digest}.svg`), contents };
}

/** Fills the asset names into the template. */
function indexHtml(files: readonly OutputFile[], icon: string): string {
  const named = (pattern: RegExp): string => {
    const file = files.find((one) => pattern.test(path.basename(one.path)));
    if (!file) throw new Error(`the page was built without ${pattern}`);
    return `/assets/${path.basename(file.path)}`;
  };
  return fs
    .readFileSync(path.join(root, 'page/index.html'), 'utf8')
    .replace('{script}', named(/^page-.*\.js$/))
    .replace('{worker}', named(/^live-worker-.*\.js$/))
    .replace('{style}', named(/^page-.*\.css$/))
    .replace('{icon}', `/assets/${path.basename(icon)}`);
}

/** Names depend on the content, so compressed files of earlier builds are reused, which saves a second. */
function publishCompressed(file: string, contents: Uint8Array, at: Date): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const made = {
    [`${file}.br`]: () => brotliCompressSync(contents, quality),
    [`${file}.gz`]: () => gzipSync(contents, { level: 9 }),
  };
  for (const [name, make] of Object.entries(made)) {
    if (fs.existsSync(name)) fs.utimesSync(name, at, at);
    else publish(name, make(), at);
  }
  publish(file, contents, at);
}

/** Writes atomically by renaming. */
function publish(file: string, contents: Uint8Array, at: Date): void {
  const made = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  fs.writeFileSync(made, contents);
  fs.utimesSync(made, at, at);
  fs.renameSync(made, file);
}

function removeOld(assets: string, current: ReadonlySet<string>, startedAt: Date): void {
  for (const name of fs.readdirSync(assets)) {
    const file = path.join(assets, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
    const isOld = startedAt.getTime() - mtimeMs >= KEEP_OLD_MS;
    if (!current.has(name.replace(/\.(br|gz)$/, '')) && isOld) fs.rmSync(file, { force: true });
  }
}
