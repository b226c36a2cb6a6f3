// queuectl completions SHELL: the script that makes Tab complete commands, options, ids and settings.

import type { Command, Context, Result } from '../command.ts';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { usage } from '../options/options.ts';

export const command: Command = {
  name: 'completions',
  purpose: 'set up',
  summary: 'print a completion script for bash, zsh or fish',
  usage: [SHELLS.join(' | ')],
  examples: [
    ['eval "$(queuectl completions bash)"', 'try it in this shell; the same for zsh'],
    ['queuectl completions fish | source', 'the same in fish'],
  ],
  notes: [
    `To keep it, run once:
  bash  echo 'eval "$(queuectl completions bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(queuectl completions zsh)"' >> ~/.zshrc      (behind compinit)
  fish  queuectl completions fish > ~/.config/fish/completions/queuectl.fish`,
    'The script asks queuectl at every Tab: it needs no renewal after an upgrade, and completes the ids of your jobs.',
  ],
  run,
};

async function run({ args, terminal }: Context): Promise<Result> {
  const [shell, ...more] = args;
  if (!isShell(shell) || more.length > 0) throw usage(problem(shell, more), command);
  // Only where the script itself lands on the screen: a shell that loads it at its start is not to be talked to.
  if (terminal.width !== null)
    terminal.hint(terminal.style.dim('queuectl completions --help says how to install it'));
  return { data: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell].trimEnd() };
}

const isShell = (word: string | undefined): word is Shell =>
  (SHELLS as readonly (string | undefined)[]).includes(word);

function problem(shell: string | undefined, more: readonly string[]): string {
  if (shell === undefined) return `for which shell? ${SHELLS.join(', ')}`;
  return more.length > 0
    ? 'one shell at a time'
    : `there is no completion for '${shell}', only for ${SHELLS.join(', ')}`;
}
