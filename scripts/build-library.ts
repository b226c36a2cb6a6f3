// Builds what programs import: dist/library/index.js for 'queuectl', client.js for 'queuectl/client', what the two share
// beside them, and what TypeScript has to know of them. Modules, since whoever imports them may bundle them in turn.
// Their declarations are files of src/library with types only. scripts/job-types.ts and scripts/data-types.ts write the derived
// types out, so no compiler is needed. A test compiles a program against the package.

import fs from 'node:fs';
import path from 'node:path';
import { dataTypes } from './data-types.ts';
import { jobTypes } from './job-types.ts';
import { type BuildOptions, build, type Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';

const ENTRIES = ['index', 'client'];
const DECLARATIONS = {
  'index.d.ts': 'index.d.ts',
  'client.d.ts': 'client.d.ts',
  'interface.ts': 'interface.d.ts',
};

/** Declarations that are written out from the schemas and the table of job fields. */
const WRITTEN = { 'data.d.ts': dataTypes, 'job-data.d.ts': jobTypes };

export interface LibraryBuild {
  readonly root: string;
  readonly options: BuildOptions;
  /** Writes a file below dist/ atomically. */
  readonly publish: (name: string, text: string) => void;
}

export async function buildLibrary({ root, options, publish }: LibraryBuild): Promise<void> {
  const folder = path.join(root, 'dist', 'library');
  const { supported: _, ...shared } = options;
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ENTRIES.map((name) => `src/library/${name}.ts`),
    outdir: folder,
    format: 'esm',
    splitting: true,
    write: false,
    minifyIdentifiers: false, // readable names help when debugging a program that uses the library
    minifyWhitespace: true,
    minify: false,
    chunkNames: 'shared-[hash]',
    plugins: [requiredBuiltins],
  });
  fs.mkdirSync(folder, { recursive: true });
  // Publishes imported files before the entries.
  const files = (outputFiles ?? []).toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
  for (const file of files) publish(path.relative(path.join(root, 'dist'), file.path), file.text);
  for (const [from, to] of Object.entries(DECLARATIONS)) publish(`library/${to}`, declarationOf(root, from));
  for (const [name, write] of Object.entries(WRITTEN)) publish(`library/${name}`, write());
  removeOthers(
    folder,
    new Set([
      ...files.map((file) => path.basename(file.path)),
      ...Object.values(DECLARATIONS),
      ...Object.keys(WRITTEN),
    ]),
  );
}

const isEntry = (file: string): boolean => ENTRIES.includes(path.basename(file, '.js'));

/** Inside a package, a declaration belongs to a .js file. */
const declarationOf = (root: string, name: string): string =>
  fs
    .readFileSync(path.join(root, 'src/library', name), 'utf8')
    .replaceAll(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'");

/** CommonJS packages load Node's modules with require, which ES modules lack. */
const requiredBuiltins: Plugin = {
  name: 'required builtins',
  setup: (build) => {
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path: name, kind }) =>
      kind === 'require-call' && process.getBuiltinModule(name)
        ? { path: name, namespace: 'required' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`,
    }));
  },
};

/** Removes files of earlier builds. */
function removeOthers(folder: string, current: ReadonlySet<string>): void {
  for (const name of fs.readdirSync(folder))
    if (!current.has(name) && !name.startsWith('.')) fs.rmSync(path.join(folder, name), { force: true });
}
