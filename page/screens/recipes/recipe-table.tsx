// Recipes as rows, by name.

import { Button } from '../../components/button.tsx';
import { heads, Table } from '../../components/table/table.tsx';
import { confirm } from '../../components/dialog.tsx';
import { When } from '../../components/time.tsx';
import { ParameterList, RecipeWords } from '../../isolation/recipe-text.tsx';
import { send } from '../../core/api.ts';
import { reloadAll } from '../../core/resource.ts';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import { sayDone } from '../../core/toasts.ts';
import type { Recipe } from '../../core/types.ts';
import { useRows } from '../../components/table/use-rows.ts';

export function RecipeTable({ recipes }: { recipes: readonly Recipe[] }) {
  const { at, body } = useRows(recipes, 'Recipes', (recipe) => may('enqueuer') && enqueue(recipe));
  return (
    <Table
      class="recipes-table"
      heads={heads('recipe', 'runs', 'parameters', 'added')}
      hasActions={may('enqueuer')}
      body={body}
    >
      {recipes.map((recipe, i) => (
        <Row key={recipe.name} recipe={recipe} isAt={i === at} />
      ))}
    </Table>
  );
}

const enqueue = ({ name }: Recipe): void => setQuery({ enqueue: name }, 'push');

const Row = ({ recipe, isAt }: { recipe: Recipe; isAt: boolean }) => (
  <tr data-at={isAt}>
    <td class="nowrap name card-title">{recipe.name}</td>
    <td class="card-text">
      <RecipeWords command={recipe.command} />
    </td>
    <td class="card-text">
      <ParameterList parameters={recipe.parameters} />
    </td>
    <td class="nowrap" data-label="added">
      <span>
        <When at={recipe.created_at} /> <span class="muted">by {recipe.created_by}</span>
      </span>
    </td>
    {may('enqueuer') && (
      <td class="narrow">
        <Actions recipe={recipe} />
      </td>
    )}
  </tr>
);

const Actions = ({ recipe }: { recipe: Recipe }) => (
  <div class="row-actions">
    <Button icon="plus" label={`enqueue ${recipe.name}`} onPress={() => enqueue(recipe)}>
      Enqueue
    </Button>
    {may('admin') && (
      <>
        <Button
          icon="edit"
          label={`change ${recipe.name}`}
          onPress={() => setQuery({ change: recipe.name }, 'push')}
        >
          Change
        </Button>
        <Button
          icon="trash"
          kind="danger"
          label={`remove ${recipe.name}`}
          onPress={() => askToRemove(recipe)}
        />
      </>
    )}
  </div>
);

const askToRemove = ({ name }: Recipe): void =>
  confirm({
    title: `Remove the recipe ${name}?`,
    text: <p>Jobs that were made from it and have not started are refused, and so are ticks of schedules.</p>,
    action: 'Remove the recipe',
    isDangerous: true,
    run: async () => {
      await send('DELETE', `/recipes/${encodeURIComponent(name)}`);
      sayDone(`${name} is removed`);
      reloadAll();
    },
  });
