// Reads all parts of the program (scripts/entry.cjs), so that an upgrade does not affect a long-running process. Does
// nothing when Node runs the sources directly, which have no parts.

declare const QUEUECTL_KEEP_PARTS: (() => void) | undefined;

export const keepParts: () => void = typeof QUEUECTL_KEEP_PARTS === 'undefined' ? () => {} : QUEUECTL_KEEP_PARTS;
