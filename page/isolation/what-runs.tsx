// Fields for the command of a job or a schedule: a shell command, or a recipe with parameters.

import { TextField } from '../components/form/fields.tsx';
import type { GivenProps } from './limit-fields.tsx';
import { ParameterFields, RecipeChoice, useRecipes } from './recipe-fields.tsx';

interface Props extends GivenProps {
  /** Called with the name of a recipe, or '' for a command. */
  readonly onChoose: (recipe: string) => void;
}

export function WhatRuns({ given, onInput, onChoose }: Props) {
  const { recipes, isRecipesOnly } = useRecipes();
  const chosen = given.recipe ?? '';
  const recipe = recipes.find(({ name }) => name === chosen);
  return (
    <>
      <RecipeChoice recipes={recipes} isRecipesOnly={isRecipesOnly} value={chosen} onChoose={onChoose} />
      {recipe && <ParameterFields recipe={recipe} given={given} onInput={onInput} />}
      {chosen === '' && !(isRecipesOnly && recipes.length > 0) && (
        <CommandField given={given} onInput={onInput} />
      )}
    </>
  );
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
