// A form in a dialog. Errors appear at their field, or below all fields. The equivalent command is shown at the end.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldOf } from '../../core/problem-field.ts';
import { Button } from '../button.tsx';
import { CommandLine } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../feedback.tsx';
import { FieldProblem, type ProblemAtField } from './fields.tsx';

interface FormProps {
  readonly title: string;
  /** Text of the submit button. */
  readonly action: string;
  readonly command: string;
  readonly isWide?: boolean;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  /** If it throws, the form shows the error and stays open. */
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormProps) {
  const { title, action, command, isWide, isDangerous, onClose, onSend, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<ProblemAtField | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isChanged = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const mayLeave = (): boolean => {
    setAsking(isChanged.current);
    return !isChanged.current;
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const error = await onSend().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    setBusy(false);
    setProblem(error ? { error, field: fieldOf(error, namesIn(form.current)) } : null);
  };
  useLayoutEffect(() => reveal(form.current, problem?.field ?? null), [problem]);
  return (
    <Dialog title={title} kind={isWide ? 'wide' : 'usual'} onClose={onClose} mayLeave={mayLeave}>
      <form
        ref={form}
        onSubmit={submit}
        onInput={() => {
          isChanged.current = true;
          setAsking(false);
        }}
      >
        <FieldProblem.Provider value={problem}>
          <div class="form">{children}</div>
        </FieldProblem.Provider>
        {problem?.field === null && <Problem error={problem.error} />}
        <div class="form-command">
          <CommandLine command={command} />
        </div>
        {isAsking && (
          <p class="notice" role="alert">
            Your changes are not saved yet. Press Cancel to discard them.
          </p>
        )}
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

type Named = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fieldsIn = (form: HTMLFormElement | null): Named[] => [...(form?.querySelectorAll<Named>('[name]') ?? [])];

const namesIn = (form: HTMLFormElement | null): string[] => fieldsIn(form).map(({ name }) => name);

/** Focuses the field with the error and expands the fold around it. */
function reveal(form: HTMLFormElement | null, name: string | null): void {
  const found = name === null ? undefined : fieldsIn(form).find((field) => field.name === name);
  const fold = found?.closest('details');
  if (fold) fold.open = true;
  found?.focus();
}
