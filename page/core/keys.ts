// Keyboard shortcuts. Each is declared once with its description, from which the key sheet is made. Shortcuts are
// inactive while the user types or a dialog is open.

import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Key {
  /** As displayed: 'j', 'g j', 'Ctrl K'. */
  readonly keys: string;
  readonly does: string;
  /** The heading in the key sheet. */
  readonly part: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Also active while the user types. */
  readonly isAlways?: boolean;
}

export const activeKeys = signal<readonly Key[]>([]);

const SEQUENCE_MS = 1200;
let first: { readonly key: string; readonly at: number } | null = null;

/** Runs the handlers of the latest render, so that fast typing never reaches outdated handlers. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map((key) => key.keys).join(',');
  useLayoutEffect(() => {
    const own = latest.current.map((key) => ({
      ...key,
      run: (event: KeyboardEvent) => runLatest(key.keys, event),
    }));
    const runLatest = (name: string, event: KeyboardEvent): void =>
      latest.current.find((key) => key.keys === name)?.run(event);
    activeKeys.value = [...activeKeys.peek(), ...own];
    return () => {
      activeKeys.value = activeKeys.peek().filter((key) => !own.includes(key));
    };
  }, [names]);
}

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    const pressed = nameOf(event);
    if (pressed === null) return;
    const found = find(pressed, event);
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

function find(pressed: string, event: KeyboardEvent): Key | undefined {
  const isBusy = isTyping(event.target) || document.querySelector('dialog[open]') !== null;
  const usable = activeKeys.peek().filter((key) => key.isAlways || !isBusy);
  const both = first && Date.now() - first.at < SEQUENCE_MS ? `${first.key} ${pressed}` : null;
  first = null;
  const found = usable.findLast(({ keys }) => keys === both) ?? usable.findLast(({ keys }) => keys === pressed);
  if (!found && usable.some(({ keys }) => keys.startsWith(`${pressed} `))) first = { key: pressed, at: Date.now() };
  return found;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null {
  if (altKey || ['Control', 'Shift', 'Meta'].includes(key)) return null;
  if (ctrlKey || metaKey) return `Ctrl ${key.toUpperCase()}`;
  return key === ' ' ? 'Space' : key;
}

function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  if (!element) return false;
  return element.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && !isTick(element));
}

const isTick = (element: HTMLElement): boolean =>
  element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type);
