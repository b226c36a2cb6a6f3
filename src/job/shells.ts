// Which commands hand a text of theirs to a shell or another interpreter. It knows the usual ones by their names: it keeps
// people from mistakes, and is no wall against those who want to get around it.

import { basename } from 'node:path';

const SHELLS = /^(?:r?bash|sh|dash|ash|zsh|[mp]?ksh(?:93)?|fish|csh|tcsh|busybox|pwsh)$/;
const INTERPRETERS =
  /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|osascript|tclsh)$/;

/** -c, -lc, -ec: the next word is the script. */
const SHELL_FLAG = /^-[a-z]*c$/;
const SCRIPT_FLAG = /^(?:-[a-zA-Z]*[cerE]|--eval|--print|-p|eval)$/;

/** Programs that run what their arguments name. */
const LAUNCHERS =
  /^(?:env|nohup|xargs|nice|ionice|chrt|taskset|timeout|stdbuf|setsid|time|sudo|doas|su|runuser|setpriv|chroot|unshare|nsenter|strace|watch|parallel|script|exec|command|busybox|start-stop-daemon|systemd-run)$/;

/** Options of such programs, their values and assignments, which come before the program that is run. */
const BEFORE_PROGRAM = /^(?:-.*|\d[\w.]*|[A-Za-z_]\w*=.*)$/;

/**
 * The word that names the program which is run in the end, after env, nice and other launchers; words.length if there is none.
 * The value of an option may look like it (sudo -u ann env …), so the last launcher decides.
 */
export function programIndex(words: readonly string[]): number {
  const isLauncher = (word: string): boolean => LAUNCHERS.test(basename(word));
  if (!isLauncher(words[0] ?? '')) return 0;
  const after = words.findLastIndex(isLauncher) + 1;
  const at = words.findIndex((word, i) => i >= after && !BEFORE_PROGRAM.test(word));
  return at < 0 ? words.length : at;
}

/** A shell or another interpreter. */
export const isInterpreter = (program: string): boolean =>
  SHELLS.test(basename(program)) || INTERPRETERS.test(basename(program));

/** The beginning of a word that hands the rest of the same word to an interpreter: --eval=, -e. */
export const SCRIPT_PREFIX = /^(?:--(?:eval|print|command)=|-[a-zA-Z]*[ceErp])/;

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
