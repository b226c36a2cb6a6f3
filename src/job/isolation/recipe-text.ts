// The recipe syntax: the words of a command, with parameters in braces: {in:path} {size:int(1..2000)=200}
// {mode:choice(fast,slow)} {tag:string([a-z]+)}. {{ is a literal brace; other text in braces is literal. Pure.

import { QueueError } from '../../errors/errors.ts';
import { quote } from '../input/input-readers.ts';
import { PARAMETER, PARAMETER_TYPES, type Parameter, type ParameterType } from './recipe-parameter.ts';
import { chosenProgram, type RecipeWord } from './launchers.ts';
import { scriptIndex } from './shells.ts';

/** Texts and parameters that form one word of the command. */
export type Word = readonly (string | Parameter)[];

export interface Recipe {
  readonly name: string;
  readonly words: readonly Word[];
  readonly parameters: ReadonlyMap<string, Parameter>;
}

const PARAMETER_HERE = new RegExp(PARAMETER, 'iy');

/** Throws invalid_recipe if the text is invalid. */
export function readRecipe(name: string, command: readonly string[]): Recipe {
  const parameters = new Map<string, Parameter>();
  const words = command.map((text) => wordOf(text, (parameter) => known(parameter, parameters)));
  checkProgram(words, command);
  return { name, words, parameters };
}

export const isParameter = (part: string | Parameter): part is Parameter => typeof part !== 'string';

interface Written {
  readonly name: string;
  readonly type: string | undefined;
  readonly bounds: string | null;
  readonly fallback: string | null;
}

function wordOf(text: string, parameterOf: (written: Written) => Parameter): Word {
  const parts: (string | Parameter)[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const written = text[at] === '{' ? parameterAt(text, at) : null;
    if (text.startsWith('{{', at)) [plain, at] = [`${plain}{`, at + 2];
    else if (written === null) plain += text[at++];
    else {
      if (plain !== '') parts.push(plain);
      parts.push(parameterOf(written));
      [plain, at] = ['', at + written.length];
    }
  }
  return plain === '' && parts.length > 0 ? parts : [...parts, plain];
}

/** Returns null if the brace starts literal text. */
function parameterAt(text: string, at: number): (Written & { readonly length: number }) | null {
  PARAMETER_HERE.lastIndex = at;
  const found = PARAMETER_HERE.exec(text);
  if (found === null) {
    if (/^\{[a-z_][a-z0-9_]*[:=]/i.test(text.slice(at)))
      throw invalidRecipe(`invalid parameter in ${quote(text)}`, HOW_WRITTEN);
    return null;
  }
  const [whole, name = '', type, bounds = null, fallback = null] = found;
  return { name, type, bounds, fallback, length: whole.length };
}

const HOW_WRITTEN =
  'write parameters as {name:type}, for example {in:path} {size:int(1..2000)=200} {mode:choice(fast,slow)}; write {{ for a brace';

/** A parameter that occurs twice is described once. */
function known({ name, type, bounds, fallback }: Written, parameters: Map<string, Parameter>): Parameter {
  const earlier = parameters.get(name);
  if (earlier && type === undefined && fallback === null) return earlier;
  if (earlier)
    throw invalidRecipe(`duplicate definition of parameter '${name}'`, `write only {${name}} the second time`);
  const parameter = { name, type: typeOf(name, type ?? 'string'), bounds, fallback };
  parameters.set(name, parameter);
  return parameter;
}

function typeOf(name: string, type: string): ParameterType {
  const found = PARAMETER_TYPES.find((known) => known === type);
  if (found) return found;
  throw invalidRecipe(
    `parameter '${name}' has the unknown type '${type}'`,
    `use ${PARAMETER_TYPES.join(', ')}; write {{ for a brace`,
  );
}

/** A caller's value must never become a program or the text of a script. */
function checkProgram(words: readonly Word[], command: readonly string[]): void {
  if (words[0] === undefined || words[0].some(isParameter))
    throw invalidRecipe('the program of a recipe cannot be a parameter', 'write the program as the first word');
  checkLaunched(words, command);
  const script = scriptIndex(command);
  if (script !== null && words[script]?.some(isParameter))
    throw invalidRecipe(
      `${quote(command[script] ?? '')} is run as a script, so a parameter in it could inject code`,
      'pass the parameter to the script as an argument: sh -c \'echo "$1"\' sh {name}',
    );
}

/** `env {x}` would run any program, `node {x}` any script, `node --eval={x}` any code. */
function checkLaunched(words: readonly Word[], command: readonly string[]): void {
  const chosen = chosenProgram(words.map(asWord));
  if (chosen !== null && !words[chosen]?.some(isParameter))
    throw invalidRecipe(
      `${quote(command[chosen] ?? '')} has no script and would run its standard input, which a job can set`,
      'write the script file after it, or the script text: sh -c TEXT',
    );
  if (chosen !== null)
    throw invalidRecipe(
      `${quote(command[0] ?? '')} could run ${quote(command[chosen] ?? '')} as a program or a script`,
      'write the program or script before the parameter (after -- if options come first), or restrict its path: {script:path(/srv/scripts)}',
    );
}

const asWord = (word: Word): RecipeWord => ({
  text: typeof word[0] === 'string' ? word[0] : '',
  isOpen: word.some(isOpen),
  isPlain: !word.some(isParameter),
});

/** True if the caller can supply any text. */
const isOpen = (part: string | Parameter): boolean =>
  isParameter(part) && (part.type === 'string' || (part.type === 'path' && part.bounds === null));

export const invalidRecipe = (problem: string, hint = ''): QueueError =>
  new QueueError('invalid_recipe', { problem, hint });
