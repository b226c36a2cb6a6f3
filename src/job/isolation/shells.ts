// Which commands hand a text of theirs to a shell or another interpreter. It knows the usual ones by their names: it keeps
// people from mistakes, and is no wall against those who want to get around it.

import { basename } from 'node:path';

export const SHELLS = /^(?:r?bash|sh|dash|ash|zsh|[mp]?ksh(?:93)?|fish|csh|tcsh|busybox|pwsh|powershell)$/;
export const INTERPRETERS =
  /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|osascript|tclsh|wish|expect|pypy[\d.]*|Rscript|julia|elixir|guile|groovy|jshell|ts-node|tsx)$/;

/** -c, -lc, -ec: the next word is the script. */
const SHELL_FLAG = /^-[a-z]*c$/;
const SCRIPT_FLAG = /^(?:-[a-zA-Z]*[cerE]|--eval|--print|-p|eval)$/;

/** A list that is a shell string all the same: sh -c '…', also behind env, nice or timeout. */
export const isShellScript = (words: readonly string[]): boolean =>
  scriptAt(words, (name) => (SHELLS.test(name) ? SHELL_FLAG : null)) !== null;

/** Which word is run as a script, by a shell or another interpreter; null: none. */
export const scriptIndex = (words: readonly string[]): number | null =>
  scriptAt(words, (name) => (SHELLS.test(name) ? SHELL_FLAG : INTERPRETERS.test(name) ? SCRIPT_FLAG : null));

function scriptAt(words: readonly string[], flagOf: (name: string) => RegExp | null): number | null {
  for (const [i, word] of words.entries()) {
    const flag = flagOf(basename(word));
    if (flag === null) continue;
    const at = words.findIndex((option, k) => k > i && flag.test(option));
    if (at > 0) return at + 1;
  }
  return null;
}
