// Fields of a form. A named field shows the server's error about it.

import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { sentence } from '../../core/sentence.ts';

export interface ProblemAtField {
  readonly error: unknown;
  /** null if the error is not about a field; it is then shown below all fields. */
  readonly field: string | null;
}

export const FieldProblem = createContext<ProblemAtField | null>(null);

interface Common {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly name?: string | undefined;
  readonly isFull?: boolean | undefined;
}

interface FieldProps extends Common {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string | undefined;
  /** Hides the value while typing. */
  readonly isSecret?: boolean | undefined;
  readonly isMono?: boolean | undefined;
  readonly isLong?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
}

export function TextField(props: FieldProps) {
  const { label, hint, name, value, onInput, isSecret, isMono, isFull, isLong, isRequired = false } = props;
  const [id, problem] = [useId(), useProblem(name)];
  const shared = {
    ...problem.attributes,
    id,
    name,
    class: `input${isMono ? ' mono' : ''}`,
    value,
    placeholder: props.placeholder,
    required: isRequired,
    spellcheck: false,
    autoComplete: isSecret ? 'new-password' : 'off',
  };
  const kind = isSecret ? { type: 'password' as const } : { type: 'text' as const };
  return (
    <div class={`field${isFull || isLong ? ' full' : ''}`}>
      <Label id={id} label={label} hint={hint} />
      {isLong ? (
        <textarea {...shared} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input {...shared} {...kind} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {problem.shown}
    </div>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly words: string;
}

export interface ChoiceProps<T extends string> extends Common {
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChoose: (value: T) => void;
}

export function ChoiceField<T extends string>(props: ChoiceProps<T>) {
  const { label, hint, name, value, choices, onChoose, isFull } = props;
  const [id, problem] = [useId(), useProblem(name)];
  return (
    <div class={`field${isFull ? ' full' : ''}`}>
      <Label id={id} label={label} hint={hint} />
      <select
        {...problem.attributes}
        id={id}
        name={name}
        class="input"
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value as T)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </select>
      {problem.shown}
    </div>
  );
}

const Label = ({ id, label, hint }: { id: string; label: string; hint: string | undefined }) => (
  <label htmlFor={id} class="field-label">
    {label} {hint && <span class="hint">{hint}</span>}
  </label>
);

/** Removes the field's name from an error shown at the field. */
const withoutField = (message: string, name: string): string =>
  message.replace(new RegExp(`^'${name}'( in the body:)? `), '');

const ended = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The error about this field: attributes for its element, and a text for below it. */
function useProblem(name: string | undefined) {
  const problem = useContext(FieldProblem);
  const id = useId();
  if (name === undefined || problem?.field !== name) return { attributes: {}, shown: null };
  const { message, hint } = problem.error as { message: string; hint?: string | null };
  const shown = (
    <p id={id} class="field-problem" role="alert">
      {ended(sentence(withoutField(message, name)))}
      {hint && <span class="muted"> {sentence(hint)}</span>}
    </p>
  );
  return { attributes: { 'aria-invalid': true, 'aria-describedby': id }, shown };
}
