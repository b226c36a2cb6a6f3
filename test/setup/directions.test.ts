// The dependency directions of src/: the check passes here, and a wrong import is found and explained.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository, run, temporaryFolder } from './clone.ts';

const check = (...args: string[]) =>
  run(process.execPath, { args: [path.join(repository, 'scripts', 'directions.ts'), ...args] });

const wrong: [file: string, source: string, complaint: string][] = [
  ['job/job.ts', "import { x } from '../settings/settings.ts';", 'job may not import settings/settings.ts'],
  ['settings/a.ts', "import '../store/store.ts';", 'settings may not import store/store.ts'],
  ['store/sqlite/a.ts', "export * from '../../worker/loop.ts';", 'store may not import worker/loop.ts'],
  ['process/a.ts', "import type { Store } from '../store/store.ts';", 'process may not import store/store.ts'],
  ['worker/a.ts', "import { open } from '../store/sqlite/open.ts';", 'worker may not import store/sqlite/open.ts'],
  [
    'queue/queue.ts',
    "const s = await import('../store/postgres/open.ts');",
    'queue may not import store/postgres/open.ts',
  ],
  ['maintenance/a.ts', "import { x } from '../report/status.ts';", 'maintenance may not import report/status.ts'],
  ['report/a.ts', "import { x } from '../cli/render/text.ts';", 'report may not import cli/render/text.ts'],
  ['cli/commands/a.ts', "import {\n  a,\n} from '../../store/sqlite/a.ts';", 'cli may not import store/sqlite/a.ts'],
  ['report/a.ts', 'export const now = queue.store.now();', 'report may not use queue.store'],
  ['cli/commands/a.ts', 'await this.queue\n  .store.get(id);', 'cli may not use queue.store'],
  ['server/a.ts', 'const { place, store } = await open();', 'server may not use queue.store'],
  ['server/a.ts', "import { main } from '../cli/main.ts';", 'server may not import cli/main.ts'],
];

const right: [file: string, source: string][] = [
  ['job/input/input.ts', "import { QueueError } from '../../errors/errors.ts';\nimport { x } from '../job.ts';"],
  ['store/open.ts', "import { open } from './sqlite/open.ts';\nimport type { Job } from '../job/job.ts';"],
  ['worker/a.ts', "import type { Store } from '../store/store.ts';\nimport { spawn } from '../process/spawn.ts';"],
  ['worker/b.ts', 'await home.store.turn(turn);'],
  ['cli/b.ts', "import type { Spread } from '../store/store.ts';\nexport const storeless = { restored: queue.now() };"],
  ['cli/commands/serve.ts', "import { serve } from '../../server/serve.ts';"],
];

test('every import in src/ follows the allowed directions', async () => {
  assert.deepEqual(await check(), { code: 0, stdout: '', stderr: '' });
});

for (const [file, source, complaint] of wrong) {
  test(`the check finds that ${complaint}, with the reason`, async (t) => {
    const { code, stderr } = await checkFile(temporaryFolder(t), file, source);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^src/${file}:\\d+: ${complaint}: .{20}`));
  });
}

test('the check accepts allowed directions', async (t) => {
  for (const [file, source] of right) {
    const { stderr } = await checkFile(temporaryFolder(t), file, source);
    assert.equal(stderr, '', file);
  }
});

test('the check finds an import cycle, but none through types or dynamic imports', async (t) => {
  const folder = temporaryFolder(t);
  await checkFile(folder, 'job/a.ts', "import { b, type C } from './b.ts';");
  await checkFile(folder, 'job/b.ts', "export {\n  c,\n} from './c.ts';\nimport { type A } from './a.ts';");
  const harmless = await checkFile(folder, 'job/c.ts', "import type { A } from './a.ts';\nawait import('./a.ts');");
  assert.deepEqual(harmless, { code: 0, stdout: '', stderr: '' });
  const { code, stderr } = await checkFile(folder, 'job/c.ts', "import './a.ts';");
  assert.equal(stderr, 'import cycle: src/job/a.ts -> src/job/b.ts -> src/job/c.ts -> src/job/a.ts\n');
  assert.equal(code, 1);
});

test('the check finds a file outside the folders', async (t) => {
  const { code, stderr } = await checkFile(temporaryFolder(t), 'loose.ts', '');
  assert.match(stderr, /^src\/loose\.ts: is in no folder/);
  assert.equal(code, 1);
});

function checkFile(folder: string, file: string, source: string) {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), source);
  return check(folder);
}
