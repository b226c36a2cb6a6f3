// Divides the program into files: main, and parts that are loaded when something in them is first imported, or called where
// it was imported statically. A module that main reaches is in main, one that the usual part reaches is there, one that a
// single part reaches is in that part, and what several parts share is a file of its own. So every module is in exactly one
// file, and an error thrown by a part is an instance of main's own class.

import { relative } from 'node:path';
import type { Metafile, Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';
import { borrowed, calling, lent } from './bindings.ts';

export const MAIN = 'main';

/** What most commands need and main does not: if others share it, it is there all the same. */
export const USUAL = 'usual';

/** What the names of modules in other files begin with; scripts/entry.cjs answers them. */
const BORROWED = 'queuectl:';

/** The modules that a part is entered by: files of src/, or packages by name. */
export type PartTable = Readonly<Record<string, readonly string[]>>;

/** What an ES module exports; nothing is known of a CommonJS module, and it is handed over as it is. */
export type Exports = ReadonlyMap<string, readonly string[]>;

export interface Division {
  /** Those of the table, and what several of them share. */
  readonly parts: readonly string[];
  /** What parts are entered by though main or the usual part imports it statically: it is loaded by the first call. */
  readonly called: readonly string[];
  /** The modules of this file that others import. */
  lentBy(file: string): string[];
  /** Leaves what belongs to other files out of this one. */
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
    for (const module of reach(starts, edges, isEntry))
      reachedBy.set(module, [...(reachedBy.get(module) ?? []), file]);
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

/** Everything imported from there, except what a part is entered by. */
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

/** In the text of a file, a case for each of its modules that others may ask for. */
export function lending(modules: readonly string[], exported: Exports): string {
  const cases = modules.map((module) => {
    const name = JSON.stringify(module);
    return exported.has(module)
      ? `case ${name}:require("lent:${module}");break;`
      : `case ${name}:QUEUECTL_LENT[${name}]=require("./${module}");break;`;
  });
  return `exports.lend=(module)=>{switch(module){${cases.join('')}}};`;
}

function borrowing(
  file: string,
  crossing: readonly Edge[],
  exported: Exports,
  called: readonly string[],
): Plugin {
  const targets = new Map(crossing.map(({ from, to, original }) => [`${from} ${original}`, to]));
  return {
    name: `borrowed by ${file}`,
    setup: (build) => {
      const root = build.initialOptions.absWorkingDir ?? '';
      const namesOf = (module: string): readonly string[] => exported.get(module) ?? [];
      build.onResolve({ filter: /^queuectl:/ }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /^lent:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'lent' }));
      build.onResolve({ filter: /^[^:]+$/ }, ({ importer, path, kind }) => {
        // Packages may be elsewhere, by a link.
        const found = targets.get(`${relative(root, importer)} ${path}`);
        if (found === undefined) return undefined;
        if (kind === 'dynamic-import' || !exported.has(found))
          return { path: `${BORROWED}${found}`, external: true };
        return { path: found, namespace: called.includes(found) ? 'called' : 'borrowed' };
      });
      build.onLoad({ filter: /.*/, namespace: 'called' }, ({ path }) => ({
        contents: calling(`${BORROWED}${path}`, namesOf(path)),
      }));
      build.onLoad({ filter: /.*/, namespace: 'borrowed' }, ({ path }) => ({
        contents: borrowed(`${BORROWED}${path}`, namesOf(path)),
      }));
      build.onLoad({ filter: /.*/, namespace: 'lent' }, ({ path }) => ({
        contents: lent(path, namesOf(path)),
        resolveDir: root,
      }));
    },
  };
}
