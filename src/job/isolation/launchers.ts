// Finds the word of a command that another program runs as a program or script: after env, timeout or sudo, in find
// -exec, or as the first argument of a shell or interpreter. The lists cover common programs by name. They catch
// mistakes in recipes and are not a security boundary: any program may have other ways to run one.

import { basename } from 'node:path';
import { INTERPRETERS, SHELLS } from './shells.ts';

export interface RecipeWord {
  /** Text up to the first parameter. */
  readonly text: string;
  /** True if the caller chooses the rest: any text, or a path without a required directory. */
  readonly isOpen: boolean;
  /** True if the word contains no parameter. */
  readonly isPlain: boolean;
}

interface Launcher {
  /** Number of words between the launcher's options and the program. */
  readonly operands: number;
  /** Options without an argument. Any other option may take the next word. */
  readonly flags: readonly string[];
}

const launcher = (operands: number, flags = ''): Launcher => ({ operands, flags: flags.split(' ') });

const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    env: launcher(0, '-i -0 -v --ignore-environment --null --debug'),
    nohup: launcher(0),
    nice: launcher(0),
    ionice: launcher(0, '-t --ignore'),
    chrt: launcher(1, '-b -f -i -o -r'),
    taskset: launcher(1, '-a -c'),
    timeout: launcher(1, '-v --verbose --foreground --preserve-status'),
    time: launcher(0, '-p -v'),
    sudo: launcher(0, '-n -E -H -b -k --non-interactive --preserve-env --set-home'),
    doas: launcher(0, '-n'),
    su: launcher(1),
    runuser: launcher(1),
    xargs: launcher(0, '-0 -r -t -x --null --no-run-if-empty'),
    setsid: launcher(0, '-c -f -w --ctty --fork --wait'),
    stdbuf: launcher(0, '-i0 -o0 -oL -e0 -eL'),
    flock: launcher(1, '-e -n -o -s -u -x --exclusive --nonblock --shared'),
    chroot: launcher(1),
    unshare: launcher(0, '-f -i -m -n -p -r -u'),
    nsenter: launcher(0, '-a'),
    setpriv: launcher(0),
    prlimit: launcher(0),
    strace: launcher(0, '-f -q'),
    ltrace: launcher(0, '-f'),
    faketime: launcher(1, '-f'),
    bwrap: launcher(0),
    firejail: launcher(0),
    script: launcher(0),
    exec: launcher(0),
    command: launcher(0),
    'start-stop-daemon': launcher(0),
    'systemd-run': launcher(0, '--user --scope --wait --pipe --collect'),
    'dbus-run-session': launcher(0),
    busybox: launcher(0),
    toybox: launcher(0),
    npx: launcher(0, '-y --yes'),
    bunx: launcher(0),
    uvx: launcher(0),
    tini: launcher(0, '-g -s -v'),
    'dumb-init': launcher(0, '-c -v'),
    gosu: launcher(1),
    'su-exec': launcher(1),
    pkexec: launcher(0),
    setarch: launcher(0, '-R -v'),
    choom: launcher(0),
    fakeroot: launcher(0),
    eatmydata: launcher(0),
    chronic: launcher(0, '-e -v'),
    unbuffer: launcher(0, '-p'),
    cpulimit: launcher(0),
    valgrind: launcher(0, '-q -v'),
    perf: launcher(1),
    'systemd-cat': launcher(0),
    'systemd-inhibit': launcher(0),
  }),
);

/** Programs with subcommands, some of which run the words that follow. */
const COMMANDS: ReadonlyMap<string, { readonly run: RegExp; readonly launcher: Launcher }> = new Map(
  Object.entries({
    docker: { run: /^(?:run|exec)$/, launcher: launcher(1, '--rm -i -t -it -d --init') },
    podman: { run: /^(?:run|exec)$/, launcher: launcher(1, '--rm -i -t -it -d --init') },
    kubectl: { run: /^exec$/, launcher: launcher(1, '-i -t -it') },
    npm: { run: /^(?:exec|x|run|run-script)$/, launcher: launcher(0, '-y --yes') },
    pnpm: { run: /^(?:exec|dlx|run)$/, launcher: launcher(0) },
    yarn: { run: /^(?:exec|dlx|run)$/, launcher: launcher(0) },
    uv: { run: /^run$/, launcher: launcher(0) },
    pipx: { run: /^run$/, launcher: launcher(0) },
    go: { run: /^run$/, launcher: launcher(0) },
  }),
);

/** Options whose argument is run, by program. */
const RUNS_ARGUMENT: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    rsync: /^(?:-[A-Za-z]*e|--rsh|--rsync-path)/,
    tar: /^(?:-[A-Za-z]*[IF]|--use-compress-program|--checkpoint-action|--to-command|--rsh-command|--info-script)/,
    git: /^(?:-c|-u|--exec-path|--upload-pack|--receive-pack|--exec)/,
    scp: /^-[A-Za-z]*[oSF]/,
    sftp: /^-[A-Za-z]*[oSFD]/,
    sort: /^--compress-program/,
    split: /^--filter/,
    zip: /^(?:-TT|--unzip-command)/,
    make: /^(?:-[A-Za-z]*[fCI]|--file|--makefile|--directory|--eval|[A-Za-z_]\w*=)/,
    gdb: /^--?(?:ex|eval-command|x|command|iex)/,
    vim: /^(?:-c|-S|--cmd|\+)/,
    java: /^(?:-jar|-cp|-classpath|--class-path|-javaagent)/,
  }),
);

/** Programs that pass all their words to a shell, locally or remotely. */
const SHELL_JOINED = /^(?:ssh|rsh|watch|parallel|eval)$/;
const FILTERS = /^(?:[gmn]?awk|sed)$/;
const FIND_PROGRAM = /^-(?:exec|execdir|ok|okdir)$/;
const TAKES_WORD = /^(?:-[A-Za-z]*[cemrEWXIdf]|--(?:eval|print|require|import|loader|env-file)|eval)$/;
const NEEDS_NO_SCRIPT = /^(?:-V|--version|--help|--test)$/;
const FILTER_TAKES_WORD = /^-[A-Za-z]*[efFv]$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const NUMBER = /^[\d.]+[a-z]?$/;

/**
 * Returns the index of a word by which a caller could choose a program or script, or null. A shell or interpreter
 * without a script counts, because it runs the caller's standard input.
 */
export function chosenProgram(words: readonly RecipeWord[], at = 0): number | null {
  const name = basename(words[at]?.text ?? '');
  const known = LAUNCHERS.get(name);
  if (known) return afterLauncher(words, at, known);
  if (SHELL_JOINED.test(name)) return firstOpen(words, at + 1);
  if (SHELLS.test(name) || INTERPRETERS.test(name)) return inOptions(words, at, TAKES_WORD, at);
  if (FILTERS.test(name)) return inOptions(words, at, FILTER_TAKES_WORD);
  const { run, launcher: within } = COMMANDS.get(name) ?? {};
  if (run && within) return afterCommand(words, at, run, within);
  const option = RUNS_ARGUMENT.get(name);
  if (option) return afterOption(words, at, option);
  return name === 'find' ? afterFind(words, at) : null;
}

function afterCommand(words: readonly RecipeWord[], at: number, run: RegExp, within: Launcher): number | null {
  const found = words.findIndex(({ text }, i) => i > at && run.test(text));
  return found < 0 ? null : afterLauncher(words, found, within);
}

/** The argument is part of the option's word, or the next word. */
function afterOption(words: readonly RecipeWord[], at: number, option: RegExp): number | null {
  for (let i = at + 1; i < words.length; i++) {
    if (!option.test(words[i]?.text ?? '')) continue;
    const found = openAt(words, i) ?? (words[i]?.text.includes('=') ? null : openAt(words, i + 1));
    if (found !== null) return found;
  }
  return null;
}

/** An unknown option may take the next word, so the program may come one word later. */
function afterLauncher(words: readonly RecipeWord[], at: number, { operands, flags }: Launcher): number | null {
  let left = operands;
  for (let i = at + 1; i < words.length; i++) {
    const { text, isOpen, isPlain } = words[i] as RecipeWord;
    if (isOpen) return i; // also as a variable's value, which the program may interpret
    if (ASSIGNMENT.test(text)) continue;
    if (text === '--') left = Math.min(left, operands);
    else if (isPlain && text.startsWith('-')) left += isAlone(text, flags) ? 0 : 1;
    else if (left > 0) left--;
    else if (isPlain && !NUMBER.test(text)) return chosenProgram(words, i);
  }
  return null;
}

const isAlone = (option: string, flags: readonly string[]): boolean =>
  flags.includes(option) || option.includes('=') || /^-\d/.test(option);

/** The first non-option word is the script; its arguments follow. Returns `without` if there is no script. */
function inOptions(
  words: readonly RecipeWord[],
  at: number,
  takesWord: RegExp,
  without: number | null = null,
): number | null {
  for (let i = at + 1; i < words.length; i++) {
    const { text, isOpen } = words[i] as RecipeWord;
    if (isOpen) return i;
    if (!text.startsWith('-') || text === '--') return text === '--' ? openAt(words, i + 1) : null;
    if (NEEDS_NO_SCRIPT.test(text)) return null;
    if (!takesWord.test(text)) continue;
    i++;
    if (words[i]?.isOpen) return i;
    if (/[ceE]$/.test(text) || text === '-m') return null;
  }
  return without;
}

function afterFind(words: readonly RecipeWord[], at: number): number | null {
  for (let i = at + 1; i < words.length - 1; i++) {
    if (!FIND_PROGRAM.test(words[i]?.text ?? '')) continue;
    const found = openAt(words, i + 1) ?? chosenProgram(words, i + 1);
    if (found !== null) return found;
  }
  return null;
}

const openAt = (words: readonly RecipeWord[], at: number): number | null => (words[at]?.isOpen ? at : null);

function firstOpen(words: readonly RecipeWord[], from: number): number | null {
  const found = words.findIndex(({ isOpen }, i) => i >= from && isOpen);
  return found < 0 ? null : found;
}
