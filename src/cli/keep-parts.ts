// Long-running processes call this first, so that an upgrade of queuectl does not affect them: it reads the parts of
// the program that they may load later (scripts/entry.cjs). Unbundled sources have no parts.

declare const QUEUECTL_KEEP_PARTS: (() => void) | undefined;

export const keepParts: () => void =
  typeof QUEUECTL_KEEP_PARTS === 'undefined' ? () => {} : QUEUECTL_KEEP_PARTS;
