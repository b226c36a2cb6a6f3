// Fields for limits, sandbox and user, shared by jobs, schedules and queues.

import { ChoiceField, TextField } from '../components/form/fields.tsx';
import { useResource } from '../core/resource.ts';
import type { Answer } from '../core/types.ts';
import type { Given } from './given.ts';
import { fieldName, LIMITS } from './limits.ts';

export interface GivenProps {
  readonly given: Given;
  readonly onInput: (name: string, value: string) => void;
}

export const LimitFields = ({ given, onInput }: GivenProps) => (
  <>
    {LIMITS.map((limit) => {
      const name = fieldName(limit);
      const shared = { name, label: limit.label, hint: limit.hint, value: given[name] ?? '' };
      return limit.choices ? (
        <ChoiceField
          key={name}
          {...shared}
          choices={limit.choices}
          onChoose={(value) => onInput(name, value)}
          isFull={limit.name === 'mode'}
        />
      ) : (
        <TextField key={name} {...shared} placeholder={limit.placeholder} onInput={(value) => onInput(name, value)} />
      );
    })}
  </>
);

const BUILT_IN: Readonly<Record<string, string>> = {
  strict: 'strict: working directory only, no network',
  network: 'network: working directory only, with network',
  readonly: 'readonly: reads most files, writes nothing',
};

/** `fallback` describes the value if nothing is chosen. */
export function BoundFields({ given, onInput, fallback }: GivenProps & { readonly fallback: string }) {
  const { data } = useResource<Answer<'listSandboxes'>>('/sandboxes');
  const names = new Set([...Object.keys(BUILT_IN), ...(data?.sandboxes ?? []).map(({ name }) => name)]);
  const chosen = given.sandbox ?? '';
  if (chosen !== '' && chosen !== 'none') names.add(chosen);
  return (
    <>
      <ChoiceField
        name="sandbox"
        label="Sandbox"
        value={chosen}
        choices={[
          { value: '', words: fallback },
          ...[...names].map((name) => ({ value: name, words: BUILT_IN[name] ?? name })),
          { value: 'none', words: 'none: full access of its user' },
        ]}
        onChoose={(value) => onInput('sandbox', value)}
      />
      <TextField
        name="user"
        label="User"
        hint="requires workers running as root"
        placeholder={fallback}
        value={given.user ?? ''}
        onInput={(value) => onInput('user', value)}
      />
    </>
  );
}
