import { usageError } from '../../errors/errors.ts';
import type { Command, OptionSpecs } from '../command.ts';

const OPTIONS = {
  replace: { kind: 'flag', help: 'replace an existing recipe of this name' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'recipe add',
  purpose: 'set up',
  recorded: { about: 'first argument' },
  createsQueue: true,
  summary: 'add a recipe: a command template with parameters',
  usage: ['NAME [--replace] -- PROGRAM ARG...'],
  options: OPTIONS,
  examples: [
    [
      'queuectl recipe add resize -- convert {in:path} -resize {size:int} {out:path}',
      'add a recipe with three parameters',
    ],
    ['queuectl enqueue --recipe resize --param in=a.png --param size=200 ...', 'enqueue a job from the recipe'],
    [
      "queuectl recipe add head -- head -n '{n:int(1..99)=10}' -- '{f:path(/srv/in)}'",
      'restrict parameters to a range or a directory, and set a default',
    ],
    ['queuectl recipe add sync -- ./sync.sh {mode:choice(fast,slow)}', 'restrict a parameter to a list of choices'],
  ],
  notes: [
    'A parameter is {name:type} inside a word. Types: string (optionally matching a regular expression), int and number (optionally within a range), path (never an option; optionally below a directory: {in:path(/srv/in)}, or {in:path(.)} for the current directory), and choice. =VALUE sets a default. Write {{ for a brace.',
    'Parameters are never passed to a shell: a recipe with a parameter inside script text is rejected. If you change or delete a recipe, its jobs that have not started are rejected.',
  ],
  run: async (context) => {
    const { args, exact, options } = context;
    const [name, ...more] = args;
    if (name === undefined || more.length > 0 || exact === null || exact.length === 0)
      throw usageError(
        'missing recipe name or command',
        'queuectl recipe add resize -- convert {in:path} -resize {size:int} {out:path}',
      );
    const command = exact.map((word) => withDirectory(word, context.cwd));
    const added = options.has('replace')
      ? await context.call('setRecipe', { name }, { command })
      : await context.call('addRecipe', {}, { name, command });
    return { data: added, text: `recipe ${name} added` };
  },
};

/** Replaces path(.) by path(CWD), so that the recipe's bound does not depend on the directory of a job. */
const withDirectory = (word: string, cwd: string | null): string =>
  cwd === null ? word : word.replace(/(?<!\{)(\{\w+:path\()\.(?=\))/gi, (_, start: string) => start + cwd);
