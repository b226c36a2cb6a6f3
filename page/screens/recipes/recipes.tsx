// Recipes with their commands and parameters, and forms to enqueue and change them.

import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/feedback.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SameCommands } from '../../components/same-commands.tsx';
import { Screen } from '../../components/screen.tsx';
import { useKeys } from '../../core/keys.ts';
import { useResource } from '../../core/resource.ts';
import { queryOf, setQuery } from '../../core/router.ts';
import { may } from '../../core/session.ts';
import type { Recipe } from '../../core/types.ts';
import { JobForm } from '../jobs/job-form.tsx';
import { RecipeForm } from './recipe-form.tsx';
import { RecipeTable } from './recipe-table.tsx';

export default function Recipes() {
  const recipes = useResource<{ recipes: Recipe[] }>('/recipes');
  useKeys([{ keys: 'n', does: 'add a recipe', part: 'Recipes', run: () => may('admin') && openForm() }]);
  return (
    <Screen
      title="Recipes"
      actions={
        may('admin') && (
          <Button kind="primary" icon="plus" onPress={openForm}>
            Add a recipe
          </Button>
        )
      }
    >
      <p class="lead">
        A recipe is a command template with parameters. Admins define recipes; users supply the values. Each value is
        checked against its type, stays within one argument, and never reaches a shell.
      </p>
      <Loaded from={recipes}>{({ recipes }) => <Filled recipes={recipes} />}</Loaded>
    </Screen>
  );
}

const openForm = (): void => setQuery({ add: '1' }, 'push');
const closeForms = (): void => setQuery({ add: '', change: '', enqueue: '' });

const EXAMPLE = "queuectl recipe add resize -- convert {in:path} -resize '{size:int(1..4000)}' {out:path}";

function Filled({ recipes }: { recipes: readonly Recipe[] }) {
  return (
    <>
      {recipes.length > 0 ? (
        <>
          <RecipeTable recipes={recipes} />
          <SameCommands
            commands={[
              'queuectl recipe list',
              EXAMPLE,
              'queuectl enqueue --recipe resize --param in=a.png --param size=200 --param out=b.png',
            ]}
          />
        </>
      ) : (
        <Empty title="No recipes yet" command={EXAMPLE}>
          Set policy_recipes_only to let users enqueue recipes only.
        </Empty>
      )}
      <Forms recipes={recipes} />
    </>
  );
}

function Forms({ recipes }: { recipes: readonly Recipe[] }) {
  const named = (name: string): Recipe | undefined => recipes.find((recipe) => recipe.name === name);
  const [changed, enqueued] = [named(queryOf('change')), named(queryOf('enqueue'))];
  if (enqueued && may('enqueuer'))
    return <JobForm title={`New job from ${enqueued.name}`} recipe={enqueued.name} onClose={closeForms} />;
  if (!may('admin')) return null;
  if (changed) return <RecipeForm recipe={changed} onClose={closeForms} />;
  return queryOf('add') === '' ? null : <RecipeForm onClose={closeForms} />;
}
