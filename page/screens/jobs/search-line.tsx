// The search line, with suggestions for the filter language of the command line. Enter searches; / focuses the line.

import { useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from '../../core/sentence.ts';
import { Icon } from '../../components/icon.tsx';
import { useKeys } from '../../core/keys.ts';
import { stats } from '../../core/stats.ts';
import { completed, type Suggestion, suggestionsFor, wordAt } from './suggestions.ts';

interface Props {
  readonly filter: string;
  readonly error: unknown;
  readonly onSearch: (filter: string) => void;
}

export function SearchLine({ filter, error, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filter);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => setText(filter), [filter]);
  useKeys([{ keys: '/', does: 'search', part: 'Jobs', run: () => input.current?.focus() }]);
  const suggestions = caret === null ? [] : suggestionsFor(wordAt(text, caret).word, knownValues());

  const take = ({ word }: Suggestion): void => {
    const next = completed(text, caret ?? text.length, word);
    setText(next.text);
    setChosen(-1);
    setCaret(next.caret);
    placeCaret(input.current, next); // immediately, so that fast typing continues at the right place
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const found = suggestions[chosen];
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, suggestions.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, -1));
    else if (event.key === 'Tab' && suggestions[0] && caret !== null && text !== '') take(found ?? suggestions[0]);
    else if (event.key === 'Escape') input.current?.blur();
    else if (event.key === 'Enter' && found) take(found);
    else if (event.key === 'Enter') {
      setCaret(null);
      onSearch(text.trim());
    } else return;
    event.preventDefault();
  };
  const follow = (): void => setCaret(input.current?.selectionStart ?? null);

  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        role="combobox"
        aria-label="Search jobs"
        aria-expanded={suggestions.length > 0}
        aria-controls="suggestions"
        aria-activedescendant={chosen >= 0 ? `suggestion-${chosen}` : undefined}
        aria-invalid={Boolean(error)}
        placeholder={'state:dead queue:mail error:"no such file" older:1d'}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(-1);
          follow();
        }}
        onFocus={follow}
        onClick={follow}
        onBlur={() => setCaret(null)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <button type="button" class="copy" aria-label="clear the search" onClick={() => onSearch('')}>
          <Icon name="close" size={14} />
        </button>
      )}
      <Suggestions suggestions={suggestions} chosen={chosen} onTake={take} />
      {Boolean(error) && <FilterProblem error={error} />}
    </search>
  );
}

function placeCaret(input: HTMLInputElement | null, { text, caret }: { text: string; caret: number }): void {
  if (!input) return;
  input.value = text;
  input.setSelectionRange(caret, caret);
}

const knownValues = () => ({ queue: stats.value?.queues.map(({ queue }) => queue) ?? [] });

function FilterProblem({ error }: { error: unknown }) {
  const { message, hint } = error as { message: string; hint?: string | null };
  return (
    <p class="search-problem small" role="alert">
      {sentence(message)}
      {hint && <span class="muted"> {sentence(hint)}</span>}
    </p>
  );
}

interface SuggestionsProps {
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
}

const Suggestions = ({ suggestions, chosen, onTake }: SuggestionsProps) => (
  <div id="suggestions" class="suggestions" role="listbox" aria-label="suggestions" hidden={suggestions.length === 0}>
    {suggestions.map((suggestion, i) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
      <div
        key={suggestion.word}
        id={`suggestion-${i}`}
        role="option"
        aria-selected={i === chosen}
        class="suggestion"
        onMouseDown={(event) => {
          event.preventDefault(); // keeps the focus in the input
          onTake(suggestion);
        }}
      >
        <code>{suggestion.word}</code>
        <span class="muted small">{suggestion.help}</span>
      </div>
    ))}
  </div>
);
