// Isolation fields of a job, collapsed because most jobs need none.

import { Fold } from '../components/form/fold.tsx';
import { TextField } from '../components/form/fields.tsx';
import { useResource } from '../core/resource.ts';
import type { Answer } from '../core/types.ts';
import { isolationNote, secretIn, words } from './given.ts';
import { BoundFields, type GivenProps, LimitFields } from './limit-fields.tsx';

export const IsolationFold = ({ given, onInput }: GivenProps) => (
  <Fold title="Limits, sandbox and secrets" note={isolationNote(given)}>
    <LimitFields given={given} onInput={onInput} />
    <BoundFields given={given} onInput={onInput} fallback="same as the queue" />
    <Secrets given={given} onInput={onInput} />
  </Fold>
);

function Secrets({ given, onInput }: GivenProps) {
  const { data } = useResource<Answer<'listSecrets'>>('/secrets');
  const chosen = words(given.secrets ?? '');
  const set = (uses: readonly string[]): void => onInput('secrets', uses.join(' '));
  return (
    <div class="full">
      <TextField
        name="secrets"
        label="Secrets"
        hint="in a variable; :file for a file, =VARIABLE for another variable"
        placeholder="DB_PASSWORD"
        value={given.secrets ?? ''}
        onInput={(value) => onInput('secrets', value)}
        isMono
      />
      {data && data.secrets.length > 0 && (
        <fieldset class="chips field-chips" aria-label="available secrets">
          {data.secrets.map(({ name }) => {
            const isChosen = chosen.some((use) => secretIn(use) === name);
            const others = chosen.filter((use) => secretIn(use) !== name);
            return (
              <button
                key={name}
                type="button"
                class="chip plain mono"
                aria-pressed={isChosen}
                onClick={() => set(isChosen ? others : [...chosen, name])}
              >
                {name}
              </button>
            );
          })}
        </fieldset>
      )}
    </div>
  );
}
