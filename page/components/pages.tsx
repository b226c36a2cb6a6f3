// Buttons to the first and the next page of a list. The URL holds the cursor.

import { queryOf, setQuery } from '../core/router.ts';
import { Button } from './button.tsx';

interface Props {
  readonly next: string | null;
  readonly words: readonly [first: string, next: string];
}

export function Pages({ next, words }: Props) {
  const isFirst = queryOf('after') === '';
  if (isFirst && next === null) return null;
  return (
    <nav class="pages" aria-label="pages">
      <Button icon="left" disabled={isFirst} onPress={() => toPage('')}>
        {words[0]}
      </Button>
      <Button disabled={next === null} onPress={() => toPage(next ?? '')}>
        {words[1]}
      </Button>
    </nav>
  );
}

function toPage(after: string): void {
  setQuery({ after }, 'push');
  scrollTo(0, 0);
}
