// The version, inserted by the build.

declare const QUEUECTL_VERSION: string | undefined;
export const version = typeof QUEUECTL_VERSION === 'undefined' ? 'development' : QUEUECTL_VERSION;
