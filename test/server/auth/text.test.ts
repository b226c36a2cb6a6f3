// What jobs and clients control stays text, wherever it is shown.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startServer } from '../support.ts';

test('HTML and escape sequences in IDs and errors stay text', async (t) => {
  const server = await startServer(t);
  const html = '<img src=x onerror=alert(1)>\u001b[31m';
  for (const path of [
    `/jobs/${encodeURIComponent(html)}`,
    `/${encodeURIComponent(html)}`,
    '/jobs/a%0d%0aX-Evil:%201',
  ]) {
    const { status, headers, json } = await server.ask('GET', path);
    assert.equal(status, 404);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-evil'), null);
    assert.equal(typeof json.detail, 'string');
  }
});

test('an ID cannot contain characters with a meaning in a header, a path or a page', async (t) => {
  const server = await startServer(t);
  for (const id of ['a"b', 'a\r\nX-Evil: 1', '<b>', '../../etc', 'a/b', 'a b', 'é', '\u0000', ''])
    assert.equal((await server.ask('POST', '/jobs', { id, command: 'true' })).status, 400, JSON.stringify(id));
  assert.equal(await server.queue.countOf({}), 0);
});

test("a job's name and command are sent as JSON, which no browser interprets as a page", async (t) => {
  const server = await startServer(t);
  const html = '</script><script>alert(1)</script>';
  const made = await server.ask('POST', '/jobs', { id: 'a', command: html, env: { HTML: html } });
  assert.equal(made.status, 201);
  for (const place of ['/jobs', '/jobs/a', '/jobs/a/why', '/jobs/a/graph']) {
    const { status, headers, json } = await server.ask('GET', place);
    assert.equal(status, 200, place);
    assert.match(headers.get('content-type') ?? '', /^application\/json/, place);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', place);
    assert.ok(json, place);
  }
});

test('the page needs no scripts except its own files', async (t) => {
  const server = await startServer(t);
  const response = await fetch(`${server.url}/`);
  const page = await response.text();
  assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';/);
  const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)];
  assert.ok(scripts.length > 0);
  for (const [, attributes, content] of scripts) {
    assert.match(attributes ?? '', /\bsrc="\/[^/]/);
    assert.equal(content?.trim(), '');
  }
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|javascript:|https?:\/\//i);
});

test('the page never turns text into markup', () => {
  const folder = path.join(import.meta.dirname, '../../../page');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.tsx?$/.test(name));
  assert.ok(sources.length > 10);
  for (const file of sources) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/i, file);
  }
});
