// A form in front of the page: what is wrong with it is said inside, the command line that would do the same stands below.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CommandLine } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './feedback.tsx';

export interface FormProps {
  readonly title: string;
  /** On the button that sends it. */
  readonly action: string;
  readonly command: string;
  readonly isWide?: boolean;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  /** An error it throws is shown, and the form stays. */
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormProps) {
  const { title, action, command, isWide, isDangerous, onClose, onSend, children } = props;
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onSend().catch(setError);
    setBusy(false);
  };
  return (
    <Dialog title={title} kind={isWide ? 'wide' : 'usual'} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="form">{children}</div>
        {Boolean(error) && <Problem error={error} />}
        <div class="form-command">
          <CommandLine command={command} />
        </div>
        <footer class="dialog-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" disabled={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string | undefined;
  /** Not shown while it is typed. */
  readonly isSecret?: boolean;
  readonly isMono?: boolean;
  readonly isFull?: boolean;
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
}

export function TextField(props: FieldProps) {
  const { label, hint, value, onInput, isSecret, isMono, isFull, isLong, isRequired = false } = props;
  const shared = {
    class: `input${isMono ? ' mono' : ''}`,
    value,
    placeholder: props.placeholder,
    required: isRequired,
    spellcheck: false,
    autoComplete: isSecret ? 'new-password' : 'off',
  };
  const kind = isSecret ? { type: 'password' as const } : { type: 'text' as const };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is inside, in one of two forms
    <label class={`field${isFull || isLong ? ' full' : ''}`}>
      <Label label={label} hint={hint} />
      {isLong ? (
        <textarea {...shared} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input {...shared} {...kind} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </label>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly words: string;
}

export function ChoiceField<T extends string>(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  readonly onChoose: (value: T) => void;
  readonly isFull?: boolean;
}) {
  const { label, hint, value, choices, onChoose, isFull } = props;
  return (
    <label class={`field${isFull ? ' full' : ''}`}>
      <Label label={label} hint={hint} />
      <select class="input" value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </select>
    </label>
  );
}

const Label = ({ label, hint }: { label: string; hint: string | undefined }) => (
  <span>
    {label} {hint && <span class="hint">{hint}</span>}
  </span>
);
