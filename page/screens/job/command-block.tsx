// The full command of a job.

import { CopyButton } from '../../components/copy.tsx';
import { commandText, shown } from '../../core/format.ts';

export const CommandBlock = ({ command }: { command: string | readonly string[] }) => (
  <div class="command-block">
    <pre>{shown(commandText(command))}</pre>
    <CopyButton text={commandText(command)} label="copy the command" />
  </div>
);
