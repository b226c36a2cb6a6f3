// What a process that runs for long does first, so that an upgrade of queuectl changes nothing for it: it reads the parts of
// the program that it may load later (scripts/entry.cjs). The sources, run as they are, have no parts.

declare const QUEUECTL_KEEP_PARTS: (() => void) | undefined;

export const keepParts: () => void =
  typeof QUEUECTL_KEEP_PARTS === 'undefined' ? () => {} : QUEUECTL_KEEP_PARTS;
