// How the build divides the program into files, on small import graphs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFunctionsOnly } from '../../scripts/bindings.ts';
import { divide, type PartTable } from '../../scripts/parts.ts';

/** 'a -> b' is a static import, 'a => b' a dynamic one. */
function graph(...lines: string[]) {
  const edges = lines.map((line) => line.split(' '));
  const names = new Set(edges.flatMap(([from = '', , to = '']) => [from, to]));
  const importsOf = (name: string) =>
    edges
      .filter(([from]) => from === name)
      .map(([, arrow, to = '']) => ({
        path: to,
        original: `./${to}`,
        kind: arrow === '=>' ? ('dynamic-import' as const) : ('import-statement' as const),
      }));
  const inputs = [...names].map((name) => {
    return [name, { bytes: 1, format: 'esm' as const, imports: importsOf(name) }] as const;
  });
  return { inputs: Object.fromEntries(inputs), outputs: {} };
}

const divided = (lines: string[], parts: PartTable) => {
  const division = divide(graph(...lines), 'main', parts);
  return Object.fromEntries(['main', ...division.parts].map((file) => [file, division.lentBy(file).sort()]));
};

test('a part contains what only it needs, and uses main for shared code', () => {
  const lines = ['main -> errors', 'main => a', 'a -> errors', 'a -> own'];
  assert.deepEqual(divided(lines, { p: ['a'] }), { main: ['errors'], p: ['a'] });
});

test('a dynamically imported module that is not a part stays in place', () => {
  const lines = ['main => b', 'b -> c', 'main => a', 'a => c'];
  assert.deepEqual(divided(lines, { p: ['a'] }), { main: ['c'], p: ['a'] });
});

test('code shared only by parts is a separate file', () => {
  const lines = ['main => a', 'main => b', 'a -> c', 'b -> c'];
  const expected = { main: [], p: ['a'], q: ['b'], 'p+q': ['c'] };
  assert.deepEqual(divided(lines, { p: ['a'], q: ['b'] }), expected);
});

test('a part may have several entry modules, also from other parts', () => {
  const lines = ['main => a', 'main => b', 'a => b', 'b => c'];
  const expected = { main: [], p: ['a', 'c'], q: ['b'] };
  assert.deepEqual(divided(lines, { p: ['a', 'c'], q: ['b'] }), expected);
});

test('a static import of main may be in a part that is loaded on the first call', () => {
  const lines = ['main => a', 'main -> b', 'b -> a', 'a -> own'];
  assert.deepEqual(divided(lines, { p: ['a'] }), { main: [], p: ['a'] });
  assert.deepEqual(divide(graph(...lines), 'main', { p: ['a'] }).called, ['a']);
  assert.deepEqual(divide(graph('main => a', 'main => b', 'b -> a'), 'main', { p: ['a'], q: ['b'] }).called, []);
});

test('code reached by the usual part is in it, even if other parts share it', () => {
  const lines = ['main => a', 'main => b', 'a -> c', 'b -> c'];
  assert.deepEqual(divided(lines, { usual: ['a'], q: ['b'] }), { main: [], usual: ['a', 'c'], q: ['b'] });
});

test('a part that no module imports is rejected', () => {
  assert.throws(() => divided(['main -> b'], { p: ['c'] }), /nothing imports 'c'/);
});

test('only functions can be loaded on the first call', () => {
  const functions = { a() {}, async b() {}, *c() {}, d: () => 1 };
  assert.equal(hasFunctionsOnly(functions), true);
  for (const value of [1, {}, null, class {}, class Named extends Error {}])
    assert.equal(hasFunctionsOnly({ ...functions, value }), false, String(value));
});
