// Syntax of the lists in a policy. Spaces or newlines separate names and directories; ; or newlines separate programs
// with their arguments. Parsers return undefined if the text is invalid.

import { isAbsolute, normalize } from 'node:path';

/** Enqueuers that must name a recipe instead of a command. */
export const HELD_TO_RECIPES = ['nobody', 'enqueuers', 'api', 'everybody'] as const;

export function namesIn(text: string): readonly string[] | undefined {
  const names = text.split(/[\s,;]+/).filter(Boolean);
  return names.length > 0 ? names : undefined;
}

/** Absolute paths without a trailing slash. */
export function foldersIn(text: string): readonly string[] | undefined {
  const folders = text.split(/[;\n]|\s+(?=\/)/).map((folder) => folder.trim()).filter(Boolean); // biome-ignore format: one line
  const areGood = folders.length > 0 && folders.every((folder) => isAbsolute(folder) && isPlain(folder));
  return areGood ? folders.map((folder) => normalize(folder).replace(/(.)\/+$/, '$1')) : undefined;
}

/** The program is an absolute path or a name; ** must come last. */
export function programsIn(text: string): readonly (readonly string[])[] | undefined {
  const programs = text
    .split(/[;\n]/)
    .map((pattern) => pattern.trim().split(/\s+/))
    .filter(([program]) => program !== '');
  return programs.length > 0 && programs.every(isProgramPattern) ? programs : undefined;
}

function isProgramPattern(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const isNamed = isAbsolute(program) ? isPlain(program) : !program.includes('/');
  return isNamed && program !== '**' && !args.slice(0, -1).includes('**');
}

const isPlain = (path: string): boolean => !path.split('/').includes('..');
