// Detects commands that pass a script to a shell or another interpreter. It covers common interpreters by name, to
// catch mistakes; it is not a security boundary.

import { basename } from 'node:path';

export const SHELLS = /^(?:r?bash|sh|dash|ash|zsh|[mp]?ksh(?:93)?|fish|csh|tcsh|busybox|pwsh|powershell)$/;
export const INTERPRETERS =
  /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|osascript|tclsh|wish|expect|pypy[\d.]*|Rscript|julia|elixir|guile|groovy|jshell|ts-node|tsx)$/;

/** Matches -c, -lc, -ec: the next word is the script. */
const SHELL_FLAG = /^-[a-z]*c$/;
const SCRIPT_FLAG = /^(?:-[a-zA-Z]*[cerE]|--eval|--print|-p|eval)$/;

/** Detects an argument list that wraps a shell string: sh -c '…', also after env, nice or timeout. */
export const isShellScript = (words: readonly string[]): boolean =>
  scriptAt(words, (name) => (SHELLS.test(name) ? SHELL_FLAG : null)) !== null;

/** Returns the index of the word that an interpreter runs as a script, or null. */
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
