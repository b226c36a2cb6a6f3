// queuectl recipe add: a command with parameters, for others to enqueue.

import { QueueError } from '../../errors/errors.ts';
import type { Command, Context, Result } from '../command.ts';

export const command: Command = {
  name: 'recipe add',
  purpose: 'set up',
  recorded: { about: 'first argument' },
  createsQueue: true,
  summary: 'keep a command with parameters, for others to enqueue',
  usage: ['NAME [--replace] -- PROGRAM ARG...'],
  options: { replace: { kind: 'flag', means: 'replace the recipe of this name' } },
  examples: [
    ['queuectl recipe add resize -- convert {in:path} -resize {size:int} {out:path}', 'three parameters'],
    ['queuectl enqueue --recipe resize --param in=a.png --param size=200 ...', 'how it is used'],
    ["queuectl recipe add head -- head -n '{n:int(1..99)=10}' -- '{f:path(/srv/in)}'", 'bounds, a default'],
    ['queuectl recipe add sync -- ./sync.sh {mode:choice(fast,slow)}', 'a choice'],
  ],
  notes: [
    'A parameter is {name:type}, a part of one word: string (also by a regular expression), int and number (also within a range), path (no option; also below a directory: {in:path(/srv/in)}, or {in:path(.)} for the directory you are in now), choice. =VALUE is its default. {{ is a brace.',
    'Parameters never meet a shell: a recipe whose script text has one in it is refused. A recipe that is changed or removed takes the jobs with it that were made from it and have not started.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const { args, exact, options } = context;
  const [name, ...more] = args;
  if (name === undefined || more.length > 0 || exact === null || exact.length === 0)
    throw new QueueError('usage', {
      problem: 'a recipe needs a name, and behind -- a program and its arguments',
      hint: 'queuectl recipe add resize -- convert {in:path} -resize {size:int} {out:path}',
    });
  const command = exact.map((word) => withDirectory(word, context.cwd));
  const added = options.has('replace')
    ? await context.call('setRecipe', { name }, { command })
    : await context.call('addRecipe', {}, { name, command });
  return { data: added, text: `recipe ${name} added` };
}

/** Replaces path(.) by path(CWD), so that the recipe's bound does not depend on the directory of a job. */
const withDirectory = (word: string, cwd: string | null): string =>
  cwd === null ? word : word.replace(/(?<!\{)(\{\w+:path\()\.(?=\))/gi, (_, start: string) => start + cwd);
