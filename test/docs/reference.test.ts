// docs/reference is generated from the program's data and lists everything that users can meet.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readBlock } from '../../scripts/reference/block.ts';
import { referenceBlocks } from '../../scripts/reference/blocks.ts';
import { OUTCOMES, STATES } from '../../src/job/job.ts';
import { repository } from '../setup/clone.ts';

const read = (page: string): string => fs.readFileSync(path.join(repository, 'docs', page), 'utf8');

describe('docs/reference', () => {
  test('has the generated parts that npm run reference writes', async () => {
    for (const block of await referenceBlocks())
      assert.equal(readBlock(block), block.text.trim(), `docs/${block.page}: run npm run reference`);
  });

  test('explains every state and every outcome', () => {
    const page = read('reference/lifecycle.md');
    for (const word of [...STATES, ...OUTCOMES]) assert.ok(page.includes(`| \`${word}\` |`), word);
  });

  test('lists every environment variable of the program and no other', () => {
    const page = read('reference/environment.md');
    const documented = [...page.matchAll(/`(QUEUECTL_[A-Z_]*[A-Z])`/g)].map(([, name = '']) => name);
    const used = new Set(sources().flatMap((text) => text.match(/\bQUEUECTL_[A-Z_]*[A-Z]\b/g) ?? []));
    for (const name of INTERNAL) used.delete(name);
    assert.deepEqual([...new Set(documented)].sort(), [...used].sort());
  });
});

/** Constants of the build, variables of deliveries, and settings in examples. */
const INTERNAL = [
  'QUEUECTL_COMMIT',
  'QUEUECTL_VERSION',
  'QUEUECTL_KEEP_PARTS',
  'QUEUECTL_HOOK_BODY',
  'QUEUECTL_WEBHOOK_SECRET',
  'QUEUECTL_WEBHOOK_ALLOW_PRIVATE',
  'QUEUECTL_MAX_RETRIES',
];

const sources = (): string[] =>
  fs.globSync('src/**/*.ts', { cwd: repository }).map((file) => fs.readFileSync(path.join(repository, file), 'utf8'));
