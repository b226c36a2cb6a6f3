// The commands that do the same as a screen.

import { CommandLine } from './copy.tsx';
import { Section } from './screen.tsx';

export const SameCommands = ({ commands }: { commands: readonly string[] }) => (
  <Section title="Command line">
    <div class="commands">
      {commands.map((command) => (
        <CommandLine key={command} command={command} />
      ))}
    </div>
  </Section>
);
