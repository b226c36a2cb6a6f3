// Placeholders for data that is missing, failed to load or is loading; and toasts.

import type { ComponentChildren } from 'preact';
import { isBehind } from './table/held-rows.ts';
import { sentence } from '../core/sentence.ts';
import { dismiss, toasts } from '../core/toasts.ts';
import { Button } from './button.tsx';
import { CommandLine } from './copy.tsx';
import { Icon } from './icon.tsx';

/** An empty state that shows the next command. */
export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p class="muted">{children}</p>}
      {command && <CommandLine command={command} />}
    </div>
  );
}

export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, hint } = error as { message: string; hint?: string | null };
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{sentence(message)}</p>
        {hint && <p class="muted">{sentence(hint)}</p>}
      </div>
      {onRetry && <Button onPress={onRetry}>Retry</Button>}
    </div>
  );
}

/** Reserves the space of the rows, so that nothing jumps when they arrive. */
export const Loading = ({ rows = 6 }: { rows?: number }) => (
  <div class="loading" role="status" aria-label="loading">
    {Array.from({ length: rows }, (_, i) => (
      <div key={i} class="loading-row" />
    ))}
  </div>
);

/** Rows that are held back must not look live. */
export const RowsHeld = () => (
  <div role="status">{isBehind.value && <p class="rows-held">Rows stay in place while the mouse is over them.</p>}</div>
);

export const Toasts = () => (
  <section class="toasts" aria-live="polite" aria-label="messages">
    {toasts.value.map(({ id, text, hint, kind }) => (
      <div key={id} class="toast" data-kind={kind}>
        <Icon name={kind === 'done' ? 'check' : 'warning'} />
        <div>
          <p>{sentence(text)}</p>
          {hint && <p class="muted">{sentence(hint)}</p>}
        </div>
        <button type="button" class="copy" aria-label="dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" size={14} />
        </button>
      </div>
    ))}
  </section>
);
