// Rarely needed fields, collapsed under a heading that summarises the set ones.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';

interface Props {
  readonly title: string;
  /** Summary of the set fields; '' if none is set. */
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
