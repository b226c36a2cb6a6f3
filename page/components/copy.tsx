// Text with a button that copies it, such as a command line or an ID.

import { useState } from 'preact/hooks';
import { shown } from '../core/format.ts';
import { isCommand, sentence } from '../core/sentence.ts';
import { Icon } from './icon.tsx';

const SAID_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={isCopied ? 'copied' : label}
      title={isCopied ? 'copied' : label}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}

/** A command line in a box with a copy button; long lines scroll inside the box. */
export const CommandLine = ({ command }: { command: string }) => (
  <div class="command-line">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs to work by keyboard */}
    <code tabIndex={0}>{shown(command)}</code>
    <CopyButton text={command} label="copy the command" />
  </div>
);

/** A hint after a sentence: a command in a box, or more text. */
export const Hint = ({ hint }: { hint: string }) =>
  isCommand(hint) ? <CommandLine command={hint} /> : <span class="muted small"> {sentence(hint)}</span>;
