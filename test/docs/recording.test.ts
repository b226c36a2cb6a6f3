// The terminal recording of the README: a small, self-contained picture of what the terminal showed.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { svgOf } from '../../scripts/recording/svg.ts';
import { repository } from '../setup/clone.ts';

describe('the terminal recording', () => {
  const svg = svgOf([
    { command: 'queuectl list', output: '0 of 1\r\u001b[2K1 of 1\n\u001b[31mdead\u001b[39m  <b>' },
    { command: 'true', output: '' },
  ]);

  test('shows commands, colours, and markup as text', () => {
    assert.match(svg, /<tspan class="prompt">\$ <\/tspan>queuectl list</);
    assert.match(svg, /<tspan class="red">dead<\/tspan> {2}&lt;b&gt;</);
  });

  test('shows an overwritten line in its final form', () => {
    assert.match(svg, />1 of 1</);
    assert.doesNotMatch(svg, /0 of 1/);
  });

  test('is small and loads nothing', () => {
    const stored = fs.readFileSync(path.join(repository, 'docs/screenshots/quick-start.svg'), 'utf8');
    assert.ok(stored.length < 20_000);
    assert.doesNotMatch(stored, /url\(|href|@import|<script/);
    assert.match(stored, /queuectl dlq retry --all/);
  });
});
