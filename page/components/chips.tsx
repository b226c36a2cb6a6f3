// A choice stored in the URL. Pressing the chosen chip clears the choice.

import { queryOf, setQuery } from '../core/router.ts';

interface Chip {
  readonly value: string;
  readonly words: string;
  readonly count: number;
}

/** A chip for each value with the number of rows that have it. */
export const chipsOf = <T,>(rows: readonly T[], values: readonly string[], read: (row: T) => string): Chip[] =>
  values.map((value) => ({
    value,
    words: value,
    count: rows.filter((row) => read(row) === value).length,
  }));

export function Chips({ name, label, chips }: { name: string; label: string; chips: readonly Chip[] }) {
  const chosen = queryOf(name);
  return (
    <fieldset class="chips" aria-label={label}>
      {chips.map(({ value, words, count }) => (
        <button
          key={value}
          type="button"
          class="chip plain"
          aria-pressed={chosen === value}
          onClick={() => setQuery({ [name]: chosen === value ? '' : value, after: '' }, 'push')}
        >
          {words}
          <span class="chip-count muted">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
