// Builds the packages that programs import: dist/library/index.js for 'queuectl', client.js for 'queuectl/client', shared
// chunks and type declarations. The output is ES modules, which other bundlers can process. The declarations are files
// of src/library that contain only types; scripts/job-types.ts and scripts/data-types.ts generate the derived types, so
// the build needs no compiler. A test compiles a program against the package.

import path from 'node:path';
import { jobTypes } from './job-types.ts';
import { type BuildOptions, build, type Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';
import { publish, read, removeOld } from './publishing.ts';

const ENTRIES = ['index', 'client'];
const DECLARATIONS = {
  'index.d.ts': 'index.d.ts',
  'client.d.ts': 'client.d.ts',
  'interface.ts': 'interface.d.ts',
};

/** Declarations generated from the schemas and the table of job fields. */
const WRITTEN = ['data.d.ts', 'job-data.d.ts'];

export async function buildLibrary(options: BuildOptions): Promise<void> {
  const { supported: _, ...shared } = options;
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ENTRIES.map((name) => `src/library/${name}.ts`),
    outdir: 'dist/library',
    format: 'esm',
    splitting: true,
    write: false,
    minifyIdentifiers: false, // readable names help when debugging a program that uses the library
    minifyWhitespace: true,
    minify: false,
    chunkNames: 'shared-[hash]',
    plugins: [requiredBuiltins],
  });
  // Publishes imported files before the entries.
  const files = (outputFiles ?? []).toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
  for (const file of files) publish(`library/${path.basename(file.path)}`, file.text);
  for (const [from, to] of Object.entries(DECLARATIONS)) publish(`library/${to}`, declarationOf(from));
  publish('library/data.d.ts', await dataTypes(shared));
  publish('library/job-data.d.ts', jobTypes());
  const names = [...files.map((file) => path.basename(file.path)), ...Object.values(DECLARATIONS), ...WRITTEN];
  const current = new Set(names.map((name) => `library/${name}`));
  removeOld('library', (file) => current.has(file));
}

/** Bundles scripts/data-types.ts and runs it: in a fresh clone only the bundler finds the packages that it imports. */
async function dataTypes(options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    ...options,
    entryPoints: ['scripts/data-types.ts'],
    format: 'esm',
    write: false,
    plugins: [requiredBuiltins],
  });
  const program = Buffer.from(outputFiles[0]?.text ?? '').toString('base64');
  return (await import(`data:text/javascript;base64,${program}`)).dataTypes();
}

const isEntry = (file: string): boolean => ENTRIES.includes(path.basename(file, '.js'));

/** Inside a package, a declaration belongs to a .js file. */
const declarationOf = (name: string): string =>
  read(`src/library/${name}`).replaceAll(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'");

/** CommonJS packages load Node's modules with require, which ES modules lack. */
const requiredBuiltins: Plugin = {
  name: 'required builtins',
  setup: (build) => {
    build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path: name, kind }) =>
      kind === 'require-call' && process.getBuiltinModule(name) ? { path: name, namespace: 'required' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`,
    }));
  },
};
