// One file that needs no Node: Node itself, with the program in it. Node of this machine makes it for every platform.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { stripped } from './elf.ts';
import { signed } from './macho.ts';
import type { Platform } from './platforms.ts';

const root = path.join(import.meta.dirname, '..', '..');
const dist = path.join(root, 'dist');

/** Injects dist/ into this Node. Returns the path of the executable, in `folder`, which also holds temporary files. */
export function executableFor({ os }: Platform, node: string, folder: string): string {
  const [base, output] = [path.join(folder, 'node'), path.join(folder, 'queuectl')];
  const original = fs.readFileSync(node);
  fs.writeFileSync(base, os === 'linux' ? stripped(original) : original, { mode: 0o755 });
  const config = path.join(folder, 'sea.json');
  fs.writeFileSync(config, JSON.stringify({ ...CONFIG, executable: base, output, assets: assets() }));
  execFileSync(process.execPath, ['--build-sea', config], { cwd: dist, stdio: ['ignore', 'ignore', 'inherit'] });
  if (os === 'darwin') fs.writeFileSync(output, signed(fs.readFileSync(output), 'queuectl'));
  for (const file of [base, config]) fs.rmSync(file);
  return output;
}

const CONFIG = {
  // Relative, because the executable contains this path: every clone builds the same bytes.
  main: 'queuectl.cjs',
  disableExperimentalSEAWarning: true,
  // V8's code depends on the machine that made it.
  useCodeCache: false,
  // One thread for V8 instead of four, as in bin/queuectl. `--` prevents Node from reading an --env-file.
  execArgv: ['--v8-pool-size=1', '--'],
  execArgvExtension: 'none',
};

/** Everything in dist/ that the program reads, by its path. */
function assets(): Record<string, string> {
  const files = fs.globSync(['main.cjs', 'guard.cjs', 'parts/*.cjs', 'page/**/*'], { cwd: dist }).sort();
  return Object.fromEntries(
    files.map((name) => [name, path.join(dist, name)]).filter(([, file]) => fs.statSync(file as string).isFile()),
  );
}
