// Recipes by name.

import { DeleteButton } from '../../components/delete-button.tsx';
import { Button } from '../../components/button.tsx';
import { actions } from '../../components/table/columns.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { When } from '../../components/time.tsx';
import { setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Recipe } from '../../core/types.ts';
import { ParameterList, RecipeWords } from '../../isolation/recipe-text.tsx';

const COLUMNS: readonly Column<Recipe>[] = [
  { head: 'recipe', card: 'title', class: 'nowrap name', cell: ({ name }) => name },
  { head: 'command', card: 'text', cell: ({ command }) => <RecipeWords command={command} /> },
  {
    head: 'parameters',
    name: 'parameters',
    card: 'text',
    cell: ({ parameters }) => <ParameterList parameters={parameters} />,
  },
  {
    head: 'added',
    class: 'nowrap',
    cell: ({ created_at, created_by }) => (
      <span>
        <When at={created_at} /> <span class="muted">by {created_by}</span>
      </span>
    ),
  },
];

export const RecipeTable = ({ recipes }: { recipes: readonly Recipe[] }) => (
  <Table
    name="recipes-table"
    columns={[...COLUMNS, may('enqueuer') && actions<Recipe>((recipe) => <RowActions recipe={recipe} />)]}
    rows={recipes}
    keyOf={({ name }) => name}
    keys={{ part: 'Recipes', open: (recipe) => may('enqueuer') && enqueue(recipe) }}
  />
);

const enqueue = ({ name }: Recipe): void => setQuery({ enqueue: name }, 'push');

const RowActions = ({ recipe }: { recipe: Recipe }) => (
  <>
    <Button icon="plus" label={`enqueue ${recipe.name}`} onPress={() => enqueue(recipe)}>
      Enqueue
    </Button>
    {may('admin') && (
      <>
        <Button icon="edit" label={`change ${recipe.name}`} onPress={() => setQuery({ change: recipe.name }, 'push')}>
          Change
        </Button>
        <DeleteButton
          noun="recipe"
          name={recipe.name}
          consequence="Jobs and scheduled runs that use this recipe and have not started are rejected."
          isInRow
        />
      </>
    )}
  </>
);
