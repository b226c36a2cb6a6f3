// The frame of a screen: its title, which is also the title of the tab, and its actions.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ScreenProps {
  title: string;
  /** Replaces the title if the heading is more than text. */
  heading?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, heading, actions, children }: ScreenProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · queuectl`;
  }, [title]);
  // Screen readers announce the heading of the new screen.
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1 ref={head} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with a heading. */
export function Section(props: {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, note, actions, children } = props;
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {note && <span class="muted small">{note}</span>}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
