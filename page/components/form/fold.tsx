// Fields of a form that few need: folded away under one heading, which says what of them is set.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';

interface Props {
  readonly title: string;
  /** What is set inside; '': nothing. */
  readonly note: string;
  readonly children: ComponentChildren;
}

export function Fold({ title, note, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold full" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" size={14} />
        <span class="fold-title">{title}</span>
        {note && <span class="muted small cut">{note}</span>}
      </summary>
      <div class="form">{children}</div>
    </details>
  );
}
