// Fields to create a job from a recipe: the recipe, a field per parameter, and the resulting command.

import { parameterInWords } from '../../src/job/isolation/recipe-parameter.ts';
import { ChoiceField, TextField } from '../components/form/fields.tsx';
import { useResource } from '../core/resource.ts';
import { session } from '../core/session.ts';
import { shellWord } from '../core/format.ts';
import type { Answer, Parameter, Recipe } from '../core/types.ts';
import { type Given, paramName } from './given.ts';
import type { GivenProps } from './limit-fields.tsx';
import { BRACES } from './recipe-text.tsx';

interface Recipes {
  readonly recipes: readonly Recipe[];
  /** True if this user may only enqueue recipes. */
  readonly isRecipesOnly: boolean;
}

export function useRecipes(): Recipes {
  const { data } = useResource<{ recipes: Recipe[] }>('/recipes');
  const settings = useResource<Answer<'listSettings'>>('/settings').data?.settings;
  const restriction = settings?.find(({ key }) => key === 'policy_recipes_only')?.value;
  const isRecipesOnly =
    restriction === 'everybody' ||
    restriction === 'api' ||
    (restriction === 'enqueuers' && session.value?.role === 'enqueuer');
  return { recipes: data?.recipes ?? [], isRecipesOnly };
}

interface ChoiceProps extends Recipes {
  readonly value: string;
  readonly onChoose: (recipe: string) => void;
}

/** Hidden if there are no recipes. */
export function RecipeChoice({ recipes, isRecipesOnly, value, onChoose }: ChoiceProps) {
  const names = new Set([...recipes.map(({ name }) => name), ...(value ? [value] : [])]);
  if (names.size === 0) return null;
  return (
    <ChoiceField
      name="recipe"
      label="What runs"
      hint={isRecipesOnly ? 'the policy allows recipes only' : undefined}
      value={value}
      choices={[
        { value: '', words: isRecipesOnly ? 'choose a recipe' : 'a command' },
        ...[...names].map((name) => ({ value: name, words: `recipe ${name}` })),
      ]}
      onChoose={onChoose}
      isFull
    />
  );
}

export const ParameterFields = ({ recipe, given, onInput }: GivenProps & { readonly recipe: Recipe }) => (
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
