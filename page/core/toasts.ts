// Short messages about finished actions, which screen readers announce. They disappear; failures stay longer.

import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint: string | null;
  readonly kind: 'done' | 'failed';
}

export const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = { done: 4000, failed: 10_000 };
let last = 0;

/** Reports a finished action: 'queue mail resumed'. */
export const sayDone = (text: string): void => show(text, null, 'done');

export function sayFailed(error: unknown): void {
  const { message, hint = null } = error as { message: string; hint?: string | null };
  show(message, hint, 'failed');
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function show(text: string, hint: string | null, kind: Toast['kind']): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-3), { id, text, hint, kind }];
  setTimeout(() => dismiss(id), SHOWN_MS[kind]);
}
