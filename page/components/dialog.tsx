// Modal dialogs. The native element traps the focus, closes on Escape and restores the focus.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  kind?: 'usual' | 'wide' | 'drawer' | 'palette';
  isTitleHidden?: boolean;
  /** Called on Escape and on clicks outside; false keeps the dialog open. */
  mayLeave?: () => boolean;
}

export function Dialog(props: DialogProps) {
  const { title, children, onClose, kind = 'usual', isTitleHidden = false, mayLeave = () => true } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, textarea, select, .dialog-foot .primary')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog; this handles clicks outside
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-label={title}
      onClose={onClose}
      onCancel={(event) => !mayLeave() && event.preventDefault()}
      onClick={(event) => event.target === dialog.current && mayLeave() && onClose()}
    >
      <div class="dialog-body">
        {!isTitleHidden && (
          <header class="dialog-head">
            <h2>{title}</h2>
            <Button icon="close" kind="quiet" label="close" onPress={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** Text of the button: a verb and a count. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly run: () => Promise<unknown>;
}

const asked = signal<Question | null>(null);

/** Asks for confirmation before an action that cannot be undone. */
export const confirm = (question: Question): void => {
  asked.value = question;
};

export function Confirm() {
  const question = asked.value;
  if (!question) return null;
  const close = (): void => {
    asked.value = null;
  };
  const go = async (): Promise<void> => {
    await question.run();
    close();
  };
  return (
    <Dialog title={question.title} onClose={close}>
      <div class="dialog-text">{question.text}</div>
      <footer class="dialog-foot">
        <Button onPress={close}>Cancel</Button>
        <Button kind={question.isDangerous ? 'danger' : 'primary'} onPress={go}>
          {question.action}
        </Button>
      </footer>
    </Dialog>
  );
}
