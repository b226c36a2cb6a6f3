// The files of the page, as the server gives them to browsers.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startServer } from './support.ts';

const assets = path.join(import.meta.dirname, '../../dist/page/assets');

test('every path inside the page returns the page without a token, without inline scripts or styles', async (t) => {
  const { url } = await startServer(t);
  for (const address of ['/', '/jobs', '/jobs/some.id', '/groups/a%20b']) {
    const response = await fetch(`${url}${address}`);
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|style=| on\w+=/);
  }
});

test('assets are named by their content, compressed, and cacheable forever', async (t) => {
  const { url } = await startServer(t);
  const html = await (await fetch(url)).text();
  const named = [...html.matchAll(/\/assets\/[\w.-]+/g)].map(([name]) => name);
  assert.equal(named.length, 4);
  for (const name of named) {
    const response = await fetch(`${url}${name}`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(await response.text(), fs.readFileSync(path.join(assets, path.basename(name)), 'utf8'));
  }
  const encodingOf = async (accepted: string): Promise<string | null> =>
    (await fetch(`${url}${named[1]}`, { headers: { 'accept-encoding': accepted } })).headers.get('content-encoding');
  assert.equal(await encodingOf('gzip, deflate, br'), 'br');
  assert.equal(await encodingOf('gzip, br;q=0'), 'gzip');
  assert.equal(await encodingOf('identity'), null);
});

test('compressed files equal their originals', () => {
  for (const name of fs.readdirSync(assets).filter((one) => /\.(js|css|svg)$/.test(one))) {
    const plain = fs.readFileSync(path.join(assets, name));
    assert.ok(brotliDecompressSync(fs.readFileSync(path.join(assets, `${name}.br`))).equals(plain), name);
    assert.ok(gunzipSync(fs.readFileSync(path.join(assets, `${name}.gz`))).equals(plain), name);
  }
});

test('a missing asset and an unknown API path do not return the page', async (t) => {
  const { url } = await startServer(t);
  for (const address of [
    '/assets/none.js',
    '/assets/../index.html.js',
    '/assets/',
    '/api',
    '/api/v1/none',
    '/api/v2',
  ]) {
    const response = await fetch(`${url}${address}`);
    if (address.includes('..')) assert.equal((await response.text()).startsWith('<!doctype html>'), true);
    else assert.deepEqual([response.status, (await response.json()).code], [404, 'no_such_route'], address);
  }
});

test('the first screen takes at most 100 KB of compressed JavaScript', async (t) => {
  const { url } = await startServer(t);
  const html = await (await fetch(url)).text();
  const first = [...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].map((found) => found[1] ?? '');
  const bytes = [...withStaticImports(first)].reduce((sum, name) => sum + sizeOf(`${name}.gz`), 0);
  assert.ok(bytes > 1000 && bytes <= 100_000, `${bytes} bytes`);
});

const sizeOf = (name: string): number => fs.statSync(path.join(assets, name)).size;

/** A module and all that it needs before it can run. */
function withStaticImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const text = fs.readFileSync(path.join(assets, name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map((match) => match[1] ?? '');
    withStaticImports(imports, found);
  }
  return found;
}
