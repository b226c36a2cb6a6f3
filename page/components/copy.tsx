// Text to take along: a command line, an id, a link.

import { useState } from 'preact/hooks';
import { shown } from '../core/format.ts';
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

/** A command line in one box with its button; long ones scroll inside. */
export const CommandLine = ({ command }: { command: string }) => (
  <div class="command-line">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
    <code tabIndex={0}>{shown(command)}</code>
    <CopyButton text={command} label="copy the command" />
  </div>
);
