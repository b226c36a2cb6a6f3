// Divides the program into files: main, and parts that are loaded on first import or, if imported statically, on the
// first call. A module that main reaches is in main, then one that the usual part reaches is there, one that a single
// part reaches is in that part, and modules shared by several parts form their own file. Every module is in exactly one
// file, so an error thrown by a part is an instance of main's class.

import { relative } from 'node:path';
import type { Metafile, Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';
import { borrowed, calling, lent } from './bindings.ts';

export const MAIN = 'main';

/** The part with what most commands need and main does not; it takes precedence over other parts. */
export const USUAL = 'usual';

/** Prefix of modules in other files; scripts/entry.cjs resolves them. */
const BORROWED = 'queuectl:';

/** Entry modules of each part: files of src/, or package names. */
export type PartTable = Readonly<Record<string, readonly string[]>>;

/** Exports of ES modules. CommonJS modules are passed on as a whole. */
export type Exports = ReadonlyMap<string, readonly string[]>;

export interface Division {
  /** The parts of the table, and files shared by several of them. */
  readonly parts: readonly string[];
  /** Entry modules that main or the usual part imports statically; they are loaded on the first call. */
  readonly called: readonly string[];
  /** Returns the modules of this file that other files import. */
  lentBy(file: string): string[];
  /** Excludes modules of other files from this one. */
  plugin(file: string, exported: Exports): Plugin;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly original: string;
  readonly isDynamic: boolean;
}

export function divide({ inputs }: Metafile, entry: string, parts: PartTable): Division {
  const edges = edgesOf(inputs);
  const entries = entriesOf(edges, parts);
  const isEntry = new Set([...entries.values()].flat());
  const reachedBy = new Map<string, string[]>();
  for (const [file, starts] of [[MAIN, [entry]] as const, ...entries]) {
    for (const module of reach(starts, edges, isEntry)) reachedBy.set(module, [...(reachedBy.get(module) ?? []), file]);
  }
  const fileOf = (module: string): string => fileFor(reachedBy.get(module) ?? []);
  const crossing = edges.filter(({ from, to }) => fileOf(from) !== fileOf(to));
  const isEarly = ({ from, to, isDynamic }: Edge): boolean =>
    !isDynamic && isEntry.has(to) && [MAIN, USUAL].includes(fileOf(from));
  const called = [...new Set(crossing.filter(isEarly).map(({ to }) => to))];
  return {
    parts: [...new Set([...reachedBy.keys()].map(fileOf))].filter((file) => file !== MAIN),
    called,
    lentBy: (file) => [...new Set(crossing.map(({ to }) => to))].filter((module) => fileOf(module) === file),
    plugin: (file, exported) => borrowing(file, crossing, exported, called),
  };
}

function edgesOf(inputs: Metafile['inputs']): Edge[] {
  return Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports
      .filter((found) => !found.external && found.path in inputs)
      .map(({ path: to, original = to, kind }) => ({
        from,
        to,
        original,
        isDynamic: kind === 'dynamic-import',
      })),
  );
}

function entriesOf(edges: readonly Edge[], parts: PartTable): Map<string, string[]> {
  const moduleOf = (name: string): string => {
    const found = edges.find(({ to, original }) => to === name || original === name);
    if (!found) throw new Error(`nothing imports '${name}': it cannot be the entry of a part`);
    return found.to;
  };
  return new Map(Object.entries(parts).map(([part, names]) => [part, names.map(moduleOf)]));
}

/** Follows imports from there, except into entries of parts. */
function reach(starts: readonly string[], edges: readonly Edge[], entries: ReadonlySet<string>): Set<string> {
  const reached = new Set(starts);
  for (const module of reached) {
    for (const { from, to } of edges) if (from === module && !entries.has(to)) reached.add(to);
  }
  return reached;
}

function fileFor(reachers: readonly string[]): string {
  const first = [MAIN, USUAL].find((file) => reachers.includes(file));
  return first ?? (reachers.join('+') || MAIN);
}

/** Generates a case for each module that other files may request. */
export function lending(modules: readonly string[], exported: Exports): string {
  const cases = modules.map((module) => {
    const name = JSON.stringify(module);
    return exported.has(module)
      ? `case ${name}:require("lent:${module}");break;`
      : `case ${name}:QUEUECTL_LENT[${name}]=require("./${module}");break;`;
  });
  return `exports.lend=(module)=>{switch(module){${cases.join('')}}};`;
}

function borrowing(file: string, crossing: readonly Edge[], exported: Exports, called: readonly string[]): Plugin {
  const targets = new Map(crossing.map(({ from, to, original }) => [`${from} ${original}`, to]));
  return {
    name: `borrowed by ${file}`,
    setup: (build) => {
      const root = build.initialOptions.absWorkingDir ?? '';
      const namesOf = (module: string): readonly string[] => exported.get(module) ?? [];
      build.onResolve({ filter: /^queuectl:/ }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /^lent:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'lent' }));
      build.onResolve({ filter: /^[^:]+$/ }, ({ importer, path, kind }) => {
        // Packages may be symbolic links.
        const found = targets.get(`${relative(root, importer)} ${path}`);
        if (found === undefined) return undefined;
        if (kind === 'dynamic-import' || !exported.has(found)) return { path: `${BORROWED}${found}`, external: true };
        return { path: found, namespace: called.includes(found) ? 'called' : 'borrowed' };
      });
      const standIns: Record<string, (module: string) => string> = {
        called: (module) => calling(`${BORROWED}${module}`, namesOf(module)),
        borrowed: (module) => borrowed(`${BORROWED}${module}`, namesOf(module)),
        lent: (module) => lent(module, namesOf(module)),
      };
      for (const [namespace, textFor] of Object.entries(standIns))
        build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
          contents: textFor(path),
          resolveDir: root,
        }));
    },
  };
}
