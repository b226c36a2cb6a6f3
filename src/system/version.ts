// The version and the commit, inserted by the build.

declare const QUEUECTL_VERSION: string | undefined;
export const version = typeof QUEUECTL_VERSION === 'undefined' ? 'development' : QUEUECTL_VERSION;

declare const QUEUECTL_COMMIT: string | null | undefined;
/** Null if the sources were no git clone. */
export const builtCommit = typeof QUEUECTL_COMMIT === 'undefined' ? null : QUEUECTL_COMMIT;
