// The command lines that do the same as a screen: to learn them, or for a script.

import { CommandLine } from './copy.tsx';
import { Section } from './screen.tsx';

export const SameCommands = ({ commands }: { commands: readonly string[] }) => (
  <Section title="The same at the command line">
    <div class="commands">
      {commands.map((command) => (
        <CommandLine key={command} command={command} />
      ))}
    </div>
  </Section>
);
