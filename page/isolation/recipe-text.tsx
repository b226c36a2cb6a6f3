// The command of a recipe with highlighted parameters, and the values that each parameter accepts.

import { PARAMETER, PARAMETER_TYPES, parameterInWords } from '../../src/job/isolation/recipe-parameter.ts';
import { shellWord } from '../core/format.ts';
import type { Parameter } from '../core/types.ts';

export const BRACES = new RegExp(`\\{\\{|${PARAMETER.source}`, 'gi');

/** Separate words, so that their boundaries are visible. */
export const RecipeWords = ({ command }: { command: readonly string[] }) => (
  <span class="recipe-words mono">
    {command.map((word, i) => (
      <span key={i} class="recipe-word">
        {partsOf(word).map((part, j) =>
          part.isParameter ? (
            <span key={j} class="recipe-parameter">
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </span>
    ))}
  </span>
);

/** Shortens each parameter to its name; ParameterList describes it. */
function partsOf(word: string): { text: string; isParameter: boolean }[] {
  const parts: { text: string; isParameter: boolean }[] = [];
  let at = 0;
  for (const found of word.matchAll(BRACES)) {
    parts.push({ text: word.slice(at, found.index), isParameter: false });
    parts.push(
      found[1] === undefined ? { text: '{', isParameter: false } : { text: `{${found[1]}}`, isParameter: true },
    );
    at = found.index + found[0].length;
  }
  const whole = [...parts, { text: word.slice(at), isParameter: false }].filter(({ text }) => text !== '');
  return whole.some((part) => part.isParameter) ? whole : [{ text: shellWord(word), isParameter: false }];
}

export const ParameterList = ({ parameters }: { parameters: readonly Parameter[] }) =>
  parameters.length === 0 ? (
    <span class="muted">none</span>
  ) : (
    <dl class="parameters">
      {parameters.map((parameter) => (
        <div key={parameter.name}>
          <dt class="mono">{parameter.name}</dt>
          <dd class="muted">
            {parameterInWords({ ...parameter, fallback: null })}
            {parameter.default !== null && <span class="nowrap"> (default: {parameter.default})</span>}
          </dd>
        </div>
      ))}
    </dl>
  );

/** Parses the parameters of a recipe that is not saved yet. */
export function parametersIn(command: readonly string[]): Parameter[] {
  const found = command.flatMap((word) => [...word.matchAll(BRACES)]).filter(([, name]) => name !== undefined);
  const named = new Map(found.toReversed().map((match) => [match[1] ?? '', match] as const));
  return [...named]
    .toReversed()
    .flatMap(([name, [, , type = 'string', bounds = null, fallback = null]]) =>
      isType(type) ? [{ name, type, bounds, default: fallback }] : [],
    );
}

const isType = (type: string): type is Parameter['type'] => PARAMETER_TYPES.some((one) => one === type);
