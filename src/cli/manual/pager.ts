// Shows long text in the user's pager, as git and man do.

import { spawn } from 'node:child_process';
import type { Terminal } from '../terminal.ts';

/** `less` keeps colours, prints text that fits the screen, and leaves it there. */
const USUAL = 'less -FRX';

/** Prints the text if stdout is not a terminal or if there is no pager. */
export async function page(text: string, terminal: Terminal, environment: NodeJS.ProcessEnv): Promise<void> {
  const pager = environment.PAGER ?? USUAL;
  const isShown = terminal.width !== null && pager !== '' && (await isPaged(pager, text));
  if (!isShown) terminal.out(`${text}\n`);
}

/** Exit code of the shell if the pager does not exist. */
const NOT_FOUND = 127;

function isPaged(pager: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', pager], { stdio: ['pipe', 'inherit', 'inherit'] });
    const ignoreInterrupt = (): void => {}; // the pager handles Ctrl-C
    process.on('SIGINT', ignoreInterrupt);
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      process.off('SIGINT', ignoreInterrupt);
      resolve(code !== NOT_FOUND);
    });
    child.stdin.on('error', () => {}); // the user left the pager early
    child.stdin.end(`${text}\n`);
  });
}
