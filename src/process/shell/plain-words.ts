// Splits a command that consists only of plain words, as dash and bash do. Every other text is left to the shell: this
// is no parser, and if in doubt it returns null. Pure.

/** Longer commands stay with the shell, whose single argument has a limit that separate words would not reach. */
const LONGEST = 4096;

/** Neither an option of the shell nor an assignment nor a job such as %1. */
const PROGRAM = '[A-Za-z0-9_./][A-Za-z0-9_./+@:,-]*';
const SINGLE_QUOTED = "'[ -&(-~]*'";
/** Without the four characters that keep a meaning between double quotes, and without `!`. */
const DOUBLE_QUOTED = '"[ #%-\\[\\]^_a-~]*"';
const WORD = `(?:[A-Za-z0-9_./+@:,=%-]|${SINGLE_QUOTED}|${DOUBLE_QUOTED})+`;

const PLAIN = new RegExp(`^${PROGRAM}(?: +${WORD})*$`);
const WORDS = new RegExp(WORD, 'g');
const QUOTED = new RegExp(`${SINGLE_QUOTED}|${DOUBLE_QUOTED}`, 'g');

/**
 * Builtins and reserved words of dash and of every bash, because some are also programs. And setsid, which behaves
 * differently in a process that leads its session, as a program does that has no shell.
 */
const OF_SHELLS = new Set(
  `. : alias bg bind break builtin caller case cd chdir command compgen complete compopt continue coproc declare dirs
  disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history
  if in jobs kill let local logout mapfile newgrp popd printf pushd pwd read readarray readonly return select set setsid shift
  shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while`.split(
    /\s+/,
  ),
);

/** Returns the program and its arguments, or null if the command needs a shell. */
export function plainWords(text: string): readonly [string, ...string[]] | null {
  if (text.length > LONGEST || !PLAIN.test(text)) return null;
  const [program = '', ...args] = text.match(WORDS) ?? [];
  return OF_SHELLS.has(program) ? null : [program, ...args.map(withoutQuotes)];
}

const withoutQuotes = (word: string): string => word.replace(QUOTED, (quoted) => quoted.slice(1, -1));
