// The oldest Node that package.json promises to work with: what is true of the commands is true of them there. The
// program stands as npm would install it, without the Node that a clone brings along.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { newFolder, removeFolder } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';
import { repository } from './clone.ts';

const SAME = ['cli/exactness', 'cli/json'];

const nodes = path.join(import.meta.dirname, '..', 'oldest-node');
const folder = newFolder('queuectl oldest ');
process.on('exit', () => removeFolder(folder));

const installed = spawnSync(path.join(repository, 'scripts', 'install'), [nodes], { encoding: 'utf8' });
assert.equal(installed.status, 0, installed.stderr);
fs.cpSync(path.join(repository, 'bin'), path.join(folder, 'bin'), { recursive: true });
fs.cpSync(path.join(repository, 'dist'), path.join(folder, 'dist'), { recursive: true });
const node = path.join(folder, 'bin', 'node'); // the tests put the program's folder first on the PATH
fs.symlinkSync(path.join(nodes, 'node_modules', '.bin', 'node'), node);

test('the program runs on the Node that package.json promises', () => {
  const { engines } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const env = { QUEUECTL_HOME: path.join(folder, 'home'), PATH: path.dirname(node) };
  const { stdout } = spawnSync(path.join(folder, 'bin', 'queuectl'), ['doctor'], { encoding: 'utf8', env });
  const [, major] = /on Node (\d+)\./.exec(stdout) ?? [];
  assert.equal(`>=${major}`, engines.node, stdout);
  assert.match(stdout, /ok +commands .*Node's spawn/, 'it has no faster way, and that is no failure');
});

process.env[PROGRAM] = path.join(folder, 'bin', 'queuectl');
for (const name of SAME) await import(`../${name}.test.ts`);
