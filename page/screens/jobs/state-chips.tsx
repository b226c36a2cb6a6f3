// States as buttons that add a state to the filter or remove it.

import { StateShape } from '../../components/state.tsx';
import { count } from '../../core/format.ts';
import { stats } from '../../core/stats.ts';
import { type JobState, STATES } from '../../core/types.ts';

const STATE_WORD = /(^|\s)state:(\S+)/;

const statesIn = (filter: string): readonly string[] => STATE_WORD.exec(filter)?.[2]?.split(',') ?? [];

/** Adds the state to the filter, or removes it. */
function toggled(filter: string, state: JobState): string {
  const before = statesIn(filter);
  const after = before.includes(state) ? before.filter((one) => one !== state) : [...before, state];
  const others = filter.replace(STATE_WORD, ' ').trim().replace(/\s+/g, ' ');
  return [after.length > 0 ? `state:${after.join(',')}` : '', others].filter(Boolean).join(' ');
}

export function StateChips({ filter, onChoose }: { filter: string; onChoose: (filter: string) => void }) {
  const chosen = statesIn(filter);
  const isWhole = filter.replace(STATE_WORD, '').trim() === '';
  return (
    <fieldset class="chips">
      <legend class="out-of-sight">states</legend>
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          data-state={state}
          aria-pressed={chosen.includes(state)}
          onClick={() => onChoose(toggled(filter, state))}
        >
          <StateShape state={state} />
          {state}
          {isWhole && stats.value && <span class="chip-count">{count(stats.value[state])}</span>}
        </button>
      ))}
    </fieldset>
  );
}
