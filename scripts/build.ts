// Bundles the program into dist/: main.cjs has what `enqueue` needs, parts/ the other commands, queuectl.cjs starts
// them. Source maps serve QUEUECTL_DEBUG, guard.cjs is the guard program, library/ is for importing programs, page/ for
// browsers, and sources.* list the files whose dates bin/queuectl compares. Each file is written atomically, so that
// concurrent builds and runs are safe. Parts are named by digest and main refers to its own, so that builds never mix.
// CommonJS starts faster than ES modules: 57 instead of 67 ms of CPU for `status`. Minified and ASCII-only, because
// each page that Node touches costs 5 microseconds: 950 fewer pages.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, transform } from '../toolchain/node_modules/esbuild/lib/main.js';
import { commitOf } from '../src/system/commit.ts';
import { builtins, hasFunctionsOnly } from './bindings.ts';
import { buildLibrary } from './build-library.ts';
import { buildPage } from './build-page.ts';
import { files, FOR_PLAIN_JOBS, PARTS, SERVING } from './part-table.ts';
import { divide, type Exports, lending, MAIN } from './parts.ts';
import { publish, read, removeOld, root } from './publishing.ts';

const ENTRY = 'src/cli/main.ts';
const ownSources = [
  'package.json',
  'package-lock.json',
  'toolchain/package-lock.json',
  'scripts/bindings.ts',
  'scripts/build.ts',
  'scripts/part-table.ts',
  'scripts/parts.ts',
  'scripts/publishing.ts',
  'scripts/entry.cjs',
  'src/worker/guard/guard-main.ts',
  'src/worker/guard/guard-process.ts',
];

const noDigest = `/*${'0'.repeat(60)}*/`;

interface Bundle {
  readonly name: string;
  /** Path below dist/. */
  readonly file: string;
  readonly program: string;
  readonly map: string;
  readonly modules: readonly string[];
}

const options = {
  absWorkingDir: root,
  nodePaths: [path.join(root, 'toolchain/node_modules')], // without development packages
  bundle: true,
  write: false,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none', // included in THIRD-PARTY-LICENSES
  supported: { 'dynamic-import': false }, // scripts/entry.cjs loads the other files, and V8's cache does not support it
  define: {
    QUEUECTL_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
    QUEUECTL_COMMIT: JSON.stringify(commitOf(root)),
  },
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
} as const satisfies BuildOptions;

/** Modules that only some `enqueue` calls need, which bin/queuectl detects: over HTTP, on PostgreSQL, with --wait. */
const SELDOM = [
  'src/remote/open-remote.ts',
  'src/store/postgres/store.ts',
  'src/worker/start-worker.ts',
  'src/server/job-server/open-job-server.ts',
];

/** The bundler spends a quarter of its time on garbage collection, mostly in vain. */
process.env.GOGC ??= '400';

const metafile = await importGraph();
const division = divide(metafile, ENTRY, PARTS);
const exported = await exportsOf([MAIN, ...division.parts].flatMap(division.lentBy));
await rejectValues(division.called);
const parts = await Promise.all(division.parts.map((name) => bundle(name)));
const main = await bundle(MAIN, forEntry());
const guard = await bundleGuard();
rejectCopies([main, ...parts]);

for (const { file, program, map } of [...parts, main]) {
  publish(`${file}.map`, map);
  publish(file, program);
}
publish('guard.cjs', guard);
await buildLibrary(options);
const pageSources = await buildPage();
publishSources();
publish('queuectl.cjs', await smallEntry());
const current = new Set(parts.flatMap(({ file }) => [file, `${file}.map`]));
removeOld('parts', (file) => current.has(file));

async function importGraph(): Promise<Metafile> {
  const built = await build({ ...options, entryPoints: [ENTRY], minify: false, metafile: true }).catch(stop);
  return built.metafile;
}

/** esbuild has printed the reason. */
function stop(): never {
  process.exit(1);
}

function modulesIn({ inputs }: Metafile): string[] {
  return Object.keys(inputs).filter((input) => !/^(<|\w+:)/.test(input)); // without stand-ins
}

/**
 * Written for the shell. Each file costs the launcher 5 microseconds, so there are four lists: for a job with nothing
 * but a command, for other `enqueue` calls, for other commands, and for those that serve, which are a third of all
 * files.
 */
function publishSources(): void {
  const serving = modulesOf((sharers) => sharers.every((part) => SERVING.includes(part)));
  const plain = new Set([
    ...main.modules,
    ...modulesOf((sharers) => sharers.some((part) => FOR_PLAIN_JOBS.includes(part))),
  ]);
  const enqueue = reachedByEnqueue();
  const listOf = (module: string): string => {
    if (plain.has(module)) return 'plain';
    if (enqueue.has(module)) return 'enqueue';
    return serving.has(module) ? 'serve' : 'others';
  };
  const lists: Record<string, string[]> = {
    plain: [...ownSources],
    enqueue: [],
    others: ['scripts/build-library.ts', 'scripts/data-types.ts', 'scripts/job-types.ts'],
    serve: [...pageSources],
  };
  for (const module of ourSources()) lists[listOf(module)]?.push(module);
  for (const [name, sources] of Object.entries(lists))
    publish(`sources.${name}`, `sources="$sources ${sources.join(' ')}"\n`);
}

/** Returns the modules of files shared by the selected parts. */
function modulesOf(isMeant: (sharers: readonly string[]) => boolean): Set<string> {
  return new Set(parts.filter(({ name }) => isMeant(name.split('+'))).flatMap(({ modules }) => modules));
}

/** Returns all modules that `enqueue` may import, except the rare ones. */
function reachedByEnqueue(): Set<string> {
  const others = new Set([...files('src/cli/commands/*.ts', ['enqueue']), ...SELDOM]);
  const reached = new Set([ENTRY]);
  for (const module of reached)
    for (const { path: next } of metafile.inputs[module]?.imports ?? []) if (!others.has(next)) reached.add(next);
  return reached;
}

function ourSources(): string[] {
  return modulesIn(metafile).filter((module) => !module.includes('node_modules/'));
}

/** Returns the exports of the ES modules among these. */
async function exportsOf(modules: readonly string[]): Promise<Exports> {
  const esm = modules.filter((module) => metafile.inputs[module]?.format === 'esm');
  const changing = esm.find((module) => /^export (let|var)\b/m.test(read(module)));
  if (changing) throw new Error(`${changing} exports a variable, and other files would not see it change`);
  const handsOn = (module: string): boolean => /^export \* from/m.test(read(module));
  const [whole, alone] = [esm.filter(handsOn), esm.filter((module) => !handsOn(module))];
  const found = await Promise.all([namesIn(alone, false), namesIn(whole, true)]);
  return new Map(found.flat());
}

/** A value would have to be available at once. */
async function rejectValues(modules: readonly string[]): Promise<void> {
  for (const module of modules)
    if (!hasFunctionsOnly(await import(path.join(root, module))))
      throw new Error(`${module} exports more than functions, and main imports it: it cannot be in a part`);
}

/** Re-exports of `*` are only known together with the modules they come from. */
async function namesIn(modules: readonly string[], isWhole: boolean): Promise<[string, string[]][]> {
  if (modules.length === 0) return [];
  const { metafile: each } = await build({
    ...options,
    entryPoints: [...modules],
    outdir: 'exports',
    bundle: isWhole,
    format: 'esm',
    metafile: true,
  }).catch(stop);
  return Object.values(each.outputs).map(({ entryPoint = '', exports }) => [entryPoint, exports]);
}

/** Exposes the modules that other files import; each is evaluated on first use. */
async function bundle(name: string, more = ''): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...options,
    metafile: true,
    stdin: { contents: lending(division.lentBy(name), exported) + more, resolveDir: root },
    outfile: name === MAIN ? 'dist/main.cjs' : 'dist/parts/part.cjs',
    sourcemap: 'external',
    sourcesContent: false,
    banner: { js: `${noDigest}(function(exports,require,QUEUECTL_LENT,QUEUECTL_KEEP_PARTS){` },
    footer: { js: '})' },
    plugins: [division.plugin(name, exported), builtins],
  }).catch(stop);
  const [map = '', text = ''] = outputFiles.map((output) => output.text);
  if (Buffer.byteLength(text) !== text.length)
    throw new Error(`the bundle ${name} is not ASCII: one such letter doubles what all others take`);
  const digest = createHash('sha256').update(text).digest('hex');
  const file = name === MAIN ? 'main.cjs' : `parts/${name}-${digest.slice(0, 12)}.cjs`;
  return { name, file, program: finished(text, digest, file), map, modules: modulesIn(metafile) };
}

/** A module in two files would have two error classes and two states. */
function rejectCopies(bundles: readonly Bundle[]): void {
  const all = bundles.flatMap(({ modules }) => modules);
  const copied = all.find((module, i) => all.indexOf(module) !== i);
  if (copied) throw new Error(`${copied} is in more than one file of dist/`);
}

/** The digest comes first, so that scripts/entry.cjs can tell whether its cached code was compiled from this text. */
function finished(text: string, digest: string, file: string): string {
  const marked = text.replace(noDigest, `/*${digest.slice(0, noDigest.length - 4)}*/`);
  return `${marked}//# sourceMappingURL=${path.basename(file)}.map\n`;
}

/** The part table for scripts/entry.cjs, built on demand because most commands load no part. */
function forEntry(): string {
  const lenders = division.parts.flatMap((part) => division.lentBy(part).map((module) => [module, part]));
  const known = parts.map(({ name, file, program }) => {
    return [name, { file, digest: program.slice(0, noDigest.length), size: program.length }];
  });
  return [
    `exports.main=(args)=>require("./${ENTRY}").main(args)`,
    'exports.replaced=(path)=>new(require("./src/errors/errors.ts").QueueError)("program_replaced",{path})',
    `exports.partOf=(module)=>(${JSON.stringify(Object.fromEntries(lenders))})[module]`,
    `exports.parts=()=>(${JSON.stringify(Object.fromEntries(known))})`,
  ].join(';');
}

/** Every command parses it. Old versions of Node must understand it. */
async function smallEntry(): Promise<string> {
  const { code } = await transform(read('scripts/entry.cjs'), { minify: true, target: 'node12' });
  return code;
}

/** The guard loads only what it needs. */
async function bundleGuard(): Promise<string> {
  const { outputFiles } = await build({ ...options, entryPoints: ['src/worker/guard/guard-main.ts'] }).catch(stop);
  return outputFiles[0]?.text ?? '';
}
