// Creates or changes a recipe, with a preview of its words and parameters while the user types.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/form/form.tsx';
import { ParameterList, parametersIn, RecipeWords } from '../../isolation/recipe-text.tsx';
import { change } from '../../core/change.ts';
import { commandText, shellWord } from '../../core/format.ts';
import { itemHref } from '../../core/router.ts';
import { shellWords } from '../../core/shell-words.ts';
import type { Recipe } from '../../core/types.ts';

interface Props {
  readonly onClose: () => void;
  /** The recipe to change; a new one is added without it. */
  readonly recipe?: Recipe;
}

export function RecipeForm({ recipe, onClose }: Props) {
  const [name, setName] = useState(recipe?.name ?? '');
  const [text, setText] = useState(() => (recipe ? typed(recipe.command) : ''));
  const words = shellWords(text);
  const save = async (): Promise<void> => {
    if (words === null) throw new Error('The command has an unclosed quote.');
    const given = { name: name.trim(), command: words };
    await (recipe
      ? change(`recipe ${recipe.name} changed`, 'PUT', itemHref('recipes', recipe.name), { command: words })
      : change(`recipe ${given.name} added`, 'POST', '/recipes', given));
    onClose();
  };
  return (
    <FormDialog
      title={recipe ? `Change ${recipe.name}` : 'Add a recipe'}
      action={recipe ? 'Save' : 'Add the recipe'}
      command={commandOf(name.trim(), words ?? [], recipe !== undefined)}
      isWide
      onClose={onClose}
      onSend={save}
    >
      {!recipe && (
        <TextField name="name" label="Name" value={name} onInput={setName} placeholder="resize" isRequired isFull />
      )}
      <TextField
        name="command"
        label="Command"
        hint="program and arguments with {name:type} parameters; runs without a shell"
        value={text}
        onInput={setText}
        placeholder="convert {in:path} -resize {size:int(1..4000)} {out:path}"
        isMono
        isLong
        isRequired
      />
      <Preview words={words} />
      <p class="full muted small">
        Types: <code>string</code> <code>int(1..10)</code> <code>number</code> <code>path(/srv/in)</code>{' '}
        <code>choice(fast,slow)</code>. <code>{'{size:int=200}'}</code> has a default, <code>{'{{'}</code> is a brace.
        {recipe && ' Waiting jobs that were created from the previous version are rejected.'}
      </p>
    </FormDialog>
  );
}

function Preview({ words }: { words: readonly string[] | null }) {
  if (words === null)
    return <p class="full preview recipe-preview preview-problem">The command has an unclosed quote.</p>;
  return (
    <div class="full preview recipe-preview">
      {words.length === 0 ? (
        <p class="muted">The words and parameters of the command appear here.</p>
      ) : (
        <>
          <RecipeWords command={words} />
          <ParameterList parameters={parametersIn(words)} />
        </>
      )}
    </div>
  );
}

/** Braces need no quotes, because no shell reads them. */
const typed = (command: readonly string[]): string =>
  command.map((word) => (/[\s'"\\]/.test(word) || word === '' ? shellWord(word) : word)).join(' ');

const commandOf = (name: string, words: readonly string[], isChange: boolean): string =>
  `queuectl recipe add ${shellWord(name || 'NAME')}${isChange ? ' --replace' : ''} -- ${
    words.length === 0 ? 'PROGRAM ARG…' : commandText(words)
  }`;
