// A button. While its promise runs, the button looks busy and cannot be pressed again.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sayFailed } from '../core/toasts.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** The accessible name, for buttons without text. */
  label?: string;
  title?: string;
  disabled?: boolean;
  type?: 'button' | 'submit';
  /** May return a promise; a toast shows its error. */
  onPress?: (event: MouseEvent) => unknown;
  pressed?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, icon, kind = 'plain', label, title, disabled, type = 'button', onPress, pressed } = props;
  const [isBusy, setBusy] = useState(false);
  const press = async (event: MouseEvent): Promise<void> => {
    const answer = onPress?.(event);
    if (!(answer instanceof Promise)) return;
    setBusy(true);
    await answer.catch(sayFailed);
    setBusy(false);
  };
  return (
    <button
      type={type}
      class={`button ${kind}${children ? '' : ' icon-only'}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={pressed}
      title={title ?? label}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}
