// Decides whether a command can start without the shell so that its user cannot tell: only plain words, in an
// environment that the shell would pass on unchanged, or with known changes.

import { readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import type { Start } from '../spawn/start.ts';
import type { KnownShell } from './known-shell.ts';
import { plainWords } from './plain-words.ts';

/** A start without the shell. If it fails, the shell runs the command and prints its own message. */
export interface Direct {
  readonly words: readonly string[];
  /** Variables that the shell would have added. */
  readonly variables: Readonly<Record<string, string>>;
  /** True if the shell would have put the path of the program into the variable `_`. */
  readonly namesProgram: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

export class DirectStarts {
  private readonly shell: KnownShell['name'];
  /** Whether the shell passes all variables on. Remembered, because many jobs inherit the same object. */
  private readonly answers = new WeakMap<Variables, boolean>();

  constructor(shell: KnownShell['name']) {
    this.shell = shell;
  }

  /** Returns null if the command needs the shell. */
  of(text: string, { cwd, inherited, own }: Pick<Start, 'cwd' | 'inherited' | 'own'>): Direct | null {
    const words = plainWords(text);
    if (words === null || !this.passesOn(own) || !this.passesOnInherited(inherited)) return null;
    const variable = (name: string): string | undefined => own[name] ?? inherited[name];
    if (!words[0].includes('/') && !PLAIN_PATH.test(variable('PATH') ?? '')) return null;
    const pwd = workingFolder(cwd, variable('PWD'));
    if (pwd === null) return null;
    const variables = pwd === variable('PWD') ? {} : { PWD: pwd };
    if (this.shell === 'dash') return { words, variables, namesProgram: false };
    return { words, variables: { ...variables, SHLVL: variable('SHLVL') ?? '0' }, namesProgram: true };
  }

  private passesOnInherited(variables: Variables): boolean {
    const known = this.answers.get(variables);
    const answer = known ?? this.passesOn(variables);
    if (known === undefined) this.answers.set(variables, answer);
    return answer;
  }

  private passesOn(variables: Variables): boolean {
    return Object.entries(variables).every(([name, value]) => value === undefined || keeps(name, value, this.shell));
  }
}

/** Absolute directories only: shells differ in how they write the others, and `%` has a meaning in dash. */
const PLAIN_PATH = /^\/[^:%]*[^:%/](?::\/[^:%]*[^:%/])*$/;

/** Value of PWD in the shell, or null if in doubt. A shell keeps a correct PWD and replaces a wrong one. */
function workingFolder(cwd: string | null, pwd: string | undefined): string | null {
  if (cwd !== null) return pwd === cwd && isCanonical(cwd) ? cwd : null;
  const real = ownFolder();
  return (pwd === undefined || pwd === real) && isCanonical(real) && !real.endsWith(' (deleted)') ? real : null;
}

/** Not process.cwd(), which remembers its first answer. */
function ownFolder(): string {
  try {
    return readlinkSync('/proc/self/cwd');
  } catch {
    return '';
  }
}

const isCanonical = (folder: string): boolean =>
  folder === '/' || (folder.startsWith('/') && !folder.endsWith('/') && posix.normalize(folder) === folder);

/**
 * Names that make a shell or the loader behave differently or print a message, and names whose variables a shell
 * changes. A name that is not an identifier is missing here, because dash removes it.
 */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SPECIAL =
  /^(?:BASH.*|COMP_.*|EPOCH.*|LD_.*|POSIX.*|PS\d|OPT(?:ARG|ERR|IND)|S?RANDOM|E?UID|ENV|IFS|PPID|SHELLOPTS|LINENO|SECONDS|GROUPS|DIRSTACK|FUNCNAME|HISTCMD|EXECIGNORE|GLIBC_TUNABLES)$/;
/** Function definitions, as bash passes them on. */
const isFunction = (value: string): boolean => value.startsWith('() {');

const keeps = (name: string, value: string, shell: KnownShell['name']): boolean =>
  NAME.test(name) && !SPECIAL.test(name) && !isFunction(value) && (shell !== 'bash' || keptByBash(name, value));

/** bash removes a wrong OLDPWD, prints a message about an unknown locale, and adds 1 to SHLVL until it runs the program. */
function keptByBash(name: string, value: string): boolean {
  if (name === 'LC_ALL') return value === 'C' || value === 'POSIX';
  if (name === 'SHLVL') return /^[1-9]\d?$/.test(value);
  return name !== 'OLDPWD';
}
