// Bundles the dashboard into dist/page/: index.html, and assets/ named after their content, each also compressed.
// index.html is written last, so that its assets always exist. Assets of earlier builds are kept for a while for open
// browser tabs.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type OutputFile } from '../toolchain/node_modules/esbuild/lib/main.js';
import { keepPublished, publish, read, removeOld, root } from './publishing.ts';

/** Returns the sources of the dashboard. */
export async function buildPage(): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'page/main.tsx', 'live-worker': 'page/live-worker.ts' },
    nodePaths: [path.join(root, 'toolchain/node_modules')],
    outdir: 'dist/page/assets',
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
  const icon = iconFile();
  const assets = [...outputFiles, icon].map(({ path: file, contents }) => ({
    name: assetName(file),
    contents,
  }));
  for (const { name, contents } of assets) publishCompressed(name, contents);
  publish('page/index.html', indexHtml(outputFiles, icon.path));
  const current = new Set(assets.map(({ name }) => name));
  removeOld('page/assets', (file) => current.has(file.replace(/\.(br|gz)$/, '')));
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.includes('node_modules/'));
  return ['scripts/build-page.ts', 'page/index.html', 'page/icon.svg', ...inputs];
}

const assetName = (file: string): string => `page/assets/${path.basename(file)}`;

function iconFile(): { path: string; contents: Uint8Array } {
  const contents = Buffer.from(read('page/icon.svg'));
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  return { path: `icon-${digest}.svg`, contents };
}

/** Fills the asset names into the template. */
function indexHtml(files: readonly OutputFile[], icon: string): string {
  const named = (pattern: RegExp): string => {
    const file = files.find((one) => pattern.test(path.basename(one.path)));
    if (!file) throw new Error(`the page was built without ${pattern}`);
    return `/assets/${path.basename(file.path)}`;
  };
  return read('page/index.html')
    .replace('{script}', named(/^page-.*\.js$/))
    .replace('{worker}', named(/^live-worker-.*\.js$/))
    .replace('{style}', named(/^page-.*\.css$/))
    .replace('{icon}', `/assets/${path.basename(icon)}`);
}

/** Names depend on the content, so compressed files of earlier builds are reused, which saves a second. */
function publishCompressed(name: string, contents: Uint8Array): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  if (!keepPublished(`${name}.br`)) publish(`${name}.br`, brotliCompressSync(contents, quality));
  if (!keepPublished(`${name}.gz`)) publish(`${name}.gz`, gzipSync(contents, { level: 9 }));
  publish(name, contents);
}
