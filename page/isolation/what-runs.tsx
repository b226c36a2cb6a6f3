// Fields for the command of a job or a schedule: a shell command, or a recipe with a field per parameter.

import { parameterInWords } from '../../src/job/isolation/recipe-parameter.ts';
import { ChoiceField, TextField } from '../components/form/fields.tsx';
import { shellWord } from '../core/format.ts';
import { useResource } from '../core/resource.ts';
import { session } from '../core/session.ts';
import type { Answer, Parameter, Recipe } from '../core/types.ts';
import { type Given, paramName } from './given.ts';
import type { GivenProps } from './limit-fields.tsx';
import { BRACES } from './recipe-text.tsx';

interface Props extends GivenProps {
  /** Called with the name of a recipe, or '' for a command. */
  readonly onChoose: (recipe: string) => void;
}

export function WhatRuns({ given, onInput, onChoose }: Props) {
  const recipes = useResource<{ recipes: Recipe[] }>('/recipes').data?.recipes ?? [];
  const isRecipesOnly = useRecipesOnly();
  const chosen = given.recipe ?? '';
  const recipe = recipes.find(({ name }) => name === chosen);
  const names = new Set([...recipes.map(({ name }) => name), ...(chosen ? [chosen] : [])]);
  return (
    <>
      {names.size > 0 && (
        <ChoiceField
          name="recipe"
          label="What runs"
          hint={isRecipesOnly ? 'the policy allows recipes only' : undefined}
          value={chosen}
          choices={[
            { value: '', words: isRecipesOnly ? 'choose a recipe' : 'a command' },
            ...[...names].map((name) => ({ value: name, words: `recipe ${name}` })),
          ]}
          onChoose={onChoose}
          isFull
        />
      )}
      {recipe && <ParameterFields recipe={recipe} given={given} onInput={onInput} />}
      {chosen === '' && !(isRecipesOnly && recipes.length > 0) && <CommandField given={given} onInput={onInput} />}
    </>
  );
}

/** Whether this user may only enqueue recipes. */
function useRecipesOnly(): boolean {
  const settings = useResource<Answer<'listSettings'>>('/settings').data?.settings;
  const value = settings?.find(({ key }) => key === 'policy_recipes_only')?.value;
  return value === 'everybody' || value === 'api' || (value === 'enqueuers' && session.value?.role === 'enqueuer');
}

export const CommandField = ({ given, onInput }: GivenProps) => (
  <TextField
    name="command"
    label="Command"
    hint="runs in a shell"
    placeholder="make thumbnails"
    value={given.command ?? ''}
    onInput={(value) => onInput('command', value)}
    isLong
    isMono
    isRequired
  />
);

const ParameterFields = ({ recipe, given, onInput }: GivenProps & { readonly recipe: Recipe }) => (
  <>
    {recipe.parameters.map((parameter) => (
      <ParameterField
        key={parameter.name}
        parameter={parameter}
        value={given[paramName(parameter.name)] ?? ''}
        onInput={(value) => onInput(paramName(parameter.name), value)}
      />
    ))}
    <div class="full filled-recipe">
      <span class="field-label">Will run</span>
      <code>{filledCommand(recipe, given)}</code>
    </div>
  </>
);

interface ParameterProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function ParameterField({ parameter, value, onInput }: ParameterProps) {
  const { name, type, bounds, default: fallback } = parameter;
  const shared = { name: paramName(name), label: name, value };
  if (type === 'choice') {
    const empty = fallback === null ? 'choose one' : `${fallback} (default)`;
    const choices = (bounds ?? '').split(',').map((choice) => ({ value: choice, words: choice }));
    return <ChoiceField {...shared} choices={[{ value: '', words: empty }, ...choices]} onChoose={onInput} />;
  }
  return (
    <TextField
      {...shared}
      hint={parameterInWords({ ...parameter, fallback: null })}
      placeholder={fallback ?? undefined}
      isRequired={fallback === null}
      isMono={type === 'path'}
      onInput={onInput}
    />
  );
}

/** The command with the given values; missing parameters keep their names. */
function filledCommand({ command, parameters }: Recipe, given: Given): string {
  const valueFor = (name: string): string => {
    const fallback = parameters.find((one) => one.name === name)?.default;
    return given[paramName(name)] || (fallback ?? `{${name}}`);
  };
  const filled = command.map((word) =>
    word.replace(BRACES, (found, name?: string) => (found === '{{' ? '{' : valueFor(name ?? ''))),
  );
  return filled.map((word) => (/^\{\w+\}$/.test(word) ? word : shellWord(word))).join(' ');
}
