// One file that needs no Node: Node itself, with the program in it. Node of this machine makes it for every platform.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { stripped } from './elf.ts';
import { signed } from './macho.ts';
import type { Platform } from './platforms.ts';

const root = path.join(import.meta.dirname, '..', '..');
const dist = path.join(root, 'dist');

/** Injects dist/ into this Node. `folder` is for temporary files. */
export function executableFor({ os }: Platform, node: string, folder: string): Buffer {
  const [base, output] = [path.join(folder, 'node'), path.join(folder, 'queuectl')];
  const original = fs.readFileSync(node);
  fs.writeFileSync(base, os === 'linux' ? stripped(original) : original, { mode: 0o755 });
  const config = path.join(folder, 'sea.json');
  fs.writeFileSync(config, JSON.stringify({ ...CONFIG, executable: base, output, assets: assets() }));
  execFileSync(process.execPath, ['--build-sea', config], { cwd: dist, stdio: ['ignore', 'ignore', 'inherit'] });
  const made = fs.readFileSync(output);
  return os === 'darwin' ? signed(made, 'queuectl') : made;
}

const CONFIG = {
  // Relative, because the executable contains this path: every clone builds the same bytes.
  main: 'queuectl.cjs',
  disableExperimentalSEAWarning: true,
  // V8's code depends on the machine that made it.
  useCodeCache: false,
  // One thread for V8 instead of four, as in bin/queuectl.
  execArgv: ['--v8-pool-size=1'],
  // Node must not look for options of its own among the arguments of a job.
  execArgvExtension: 'none',
};

/** Everything in dist/ that the program reads, by its path. */
function assets(): Record<string, string> {
  const files = fs.globSync(['main.cjs', 'guard.cjs', 'parts/*.cjs', 'page/**/*'], { cwd: dist }).sort();
  return Object.fromEntries(
    files.map((name) => [name, path.join(dist, name)]).filter(([, file]) => fs.statSync(file as string).isFile()),
  );
}
