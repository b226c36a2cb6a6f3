// Modules that stand in for others in a bundle, as text, and bind what is imported from them by name. esbuild itself would
// make a copy of the whole module for each file that imports from it, a getter for each name: 0.15 to 0.5 ms for node:fs, of
// which a short command has seven, and a function for each name of each module that main lends to parts.

import { createRequire } from 'node:module';
import type { Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';

const require = createRequire(import.meta.url);
const isName = (name: string): boolean => /^[a-zA-Z_$][\w$]*$/.test(name) && name !== 'default';

/**
 * The module of this name, asked for by require. Each binding is pure, so that the bundler leaves out the unused. What is
 * exported may be called `catch` or `enum`, which no variable can be.
 */
export function borrowed(name: string, exported: readonly string[]): string {
  const bindings = exported.map((one, i) => `const _${i} = /* @__PURE__ */ (() => all.${one})();`);
  const names = exported.map((one, i) => `_${i} as ${one}`);
  return [
    `const all = require(${JSON.stringify(name)});`,
    ...bindings,
    `export { ${names.join(', ')} };`,
  ].join('\n');
}

/** The same for a module that exports functions only: it is asked for when one of them is first called. */
export function calling(name: string, exported: readonly string[]): string {
  const calls = exported.map((one, i) => `const _${i} = (...given) => all().${one}(...given);`);
  const names = exported.map((one, i) => `_${i} as ${one}`);
  return [
    `const all = () => require(${JSON.stringify(name)});`,
    ...calls,
    `export { ${names.join(', ')} };`,
  ].join('\n');
}

const FUNCTION =
  /^export (?:async )?function\*? (\w+)|^export const (\w+) = (?:async )?(?:<[^;]*?>)?\([^;]*? =>/gm;

/** Whether all that is exported by a module of this text can be called, and be loaded then. */
export function hasFunctionsOnly(text: string, exported: readonly string[]): boolean {
  const functions = [...text.matchAll(FUNCTION)].map(([, declared, assigned]) => declared ?? assigned);
  return exported.every((name) => functions.includes(name));
}

/** Puts what the module exports into an object for others, under its name. */
export function lent(module: string, exported: readonly string[]): string {
  const names = exported.map((one, i) => `${one} as _${i}`);
  const values = exported.map((one, i) => `${one}: _${i}`);
  return `import { ${names.join(', ')} } from "./${module}";
QUEUECTL_LENT[${JSON.stringify(module)}] = { ${values.join(', ')} };`;
}

/** Node's own modules. */
export const builtins: Plugin = {
  name: 'builtins',
  setup: (build) => {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.getOwnPropertyNames(require(path)).filter(isName);
      return { contents: `${borrowed(path, names)}\nexport default all;` };
    });
  },
};
