// Generates stand-in modules for a bundle that bind imports by name. esbuild would copy the whole module for each
// importing file, with a getter for each name: 0.15 to 0.5 ms for node:fs, which a short command imports seven times.

import { createRequire } from 'node:module';
import type { Plugin } from '../toolchain/node_modules/esbuild/lib/main.js';

const require = createRequire(import.meta.url);
const isName = (name: string): boolean => /^[a-zA-Z_$][\w$]*$/.test(name) && name !== 'default';

/**
 * Requires the module. Each binding is pure, so that the bundler can drop unused ones. Exports may be named `catch` or
 * `enum`, which no variable can be.
 */
export function borrowed(name: string, exported: readonly string[]): string {
  const all = `const all = require(${JSON.stringify(name)});`;
  return bound(all, exported, (one) => `/* @__PURE__ */ (() => all.${one})()`);
}

/** Like borrowed(), for a module that exports functions only: it is loaded on the first call. */
export function calling(name: string, exported: readonly string[]): string {
  const all = `const all = () => require(${JSON.stringify(name)});`;
  return bound(all, exported, (one) => `(...given) => all().${one}(...given)`);
}

function bound(all: string, exported: readonly string[], binding: (name: string) => string): string {
  const bindings = exported.map((one, i) => `const _${i} = ${binding(one)};`);
  const names = exported.map((one, i) => `_${i} as ${one}`);
  return [all, ...bindings, `export { ${names.join(', ')} };`].join('\n');
}

/** True for a module that exports functions only, so that it can be loaded on the first call. */
export function hasFunctionsOnly(module: object): boolean {
  return Object.values(module).every((value) => typeof value === 'function' && !isClass(value));
}

const isClass = (value: object): boolean => String(value).startsWith('class');

/** Puts the exports of a module into an object under its name. */
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
