import type { Command } from '../command.ts';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { usage } from '../options/options.ts';

export const command: Command = {
  name: 'completions',
  purpose: 'set up',
  summary: 'print a completion script for bash, zsh or fish',
  usage: [SHELLS.join(' | ')],
  examples: [
    ['eval "$(queuectl completions bash)"', 'enable completion in this bash session (zsh: completions zsh)'],
    ['queuectl completions fish | source', 'enable completion in this fish session'],
  ],
  notes: [
    `To enable completion permanently, run once:
  bash  echo 'eval "$(queuectl completions bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(queuectl completions zsh)"' >> ~/.zshrc      (after compinit)
  fish  queuectl completions fish > ~/.config/fish/completions/queuectl.fish`,
    'The script calls queuectl at every Tab, so it needs no update after an upgrade and completes the IDs of your jobs.',
  ],
  run: async ({ args, terminal }) => {
    const [shell, ...more] = args;
    if (!isShell(shell) || more.length > 0) throw usage(problem(shell, more), command);
    // Only if the script appears on the screen: shells that load it at their start must stay silent.
    if (terminal.width !== null)
      terminal.hint(terminal.style.dim('to install the script, see: queuectl completions --help'));
    return { data: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell].trimEnd() };
  },
};

const isShell = (word: string | undefined): word is Shell => (SHELLS as readonly (string | undefined)[]).includes(word);

function problem(shell: string | undefined, more: readonly string[]): string {
  if (shell === undefined) return `missing shell: use ${SHELLS.join(', ')}`;
  return more.length > 0
    ? 'too many arguments: pass one shell'
    : `unsupported shell '${shell}': use ${SHELLS.join(', ')}`;
}
