// Records the quick start of the README: npm run record. Runs real commands in a pseudo-terminal on a temporary queue, and
// writes docs/screenshots/quick-start.svg. Requires the `script` command of Linux.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COLUMNS, type Scene, svgOf } from './recording/svg.ts';

const root = path.join(import.meta.dirname, '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queuectl-recording-'));
const env = {
  PATH: `${path.join(root, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  QUEUECTL_HOME: path.join(folder, 'queue'),
  SHELL: '/bin/sh',
  TERM: 'xterm-256color',
};

try {
  fs.writeFileSync(path.join(root, 'docs/screenshots/quick-start.svg'), svgOf(recorded()));
} finally {
  inTerminal('queuectl worker stop --force');
  fs.rmSync(folder, { recursive: true });
}

function recorded(): Scene[] {
  const scenes: Scene[] = [];
  const type = (command: string): void => {
    scenes.push({ command, output: inTerminal(command) });
  };
  type("queuectl enqueue './resize.sh photo.jpg'");
  type('queuectl worker start');
  until('failed');
  type('queuectl list');
  until('dead');
  type('queuectl dlq list');
  type(`echo 'echo "resized $1"' > resize.sh && chmod +x resize.sh`);
  type('queuectl dlq retry --all');
  until('completed');
  type(`queuectl logs ${idOf('completed').slice(0, 3)} --attempt 5`);
  type('queuectl list');
  return scenes;
}

function inTerminal(command: string): string {
  const line = `stty cols ${COLUMNS} rows 40; ${command}`;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    input: '',
  });
  return stdout.replaceAll('\r\n', '\n').trimEnd();
}

/** Waits until the job is in this state. */
function until(state: string): void {
  const deadline = Date.now() + 60_000;
  while (idOf(state) === '') {
    if (Date.now() > deadline) throw new Error(`the job did not become ${state}`);
    spawnSync('sleep', ['0.2']);
  }
}

function idOf(state: string): string {
  const args = ['list', '--state', state, '--json'];
  const { stdout } = spawnSync(path.join(root, 'bin/queuectl'), args, { cwd: folder, env, encoding: 'utf8' });
  return (JSON.parse(stdout) as { id: string }[])[0]?.id ?? '';
}
