// The frame of one screen: its title, which is also that of the tab, and what can be done.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface ScreenProps {
  title: string;
  /** Stands in place of the title, where that is more than words. */
  heading?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, heading, actions, children }: ScreenProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · queuectl`;
  }, [title]);
  // Whoever cannot see the page hears where they are.
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

/** A part of a screen, with a heading. */
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
