// Which version this is, written in by the build.

declare const QUEUECTL_VERSION: string | undefined;
export const version = typeof QUEUECTL_VERSION === 'undefined' ? 'development' : QUEUECTL_VERSION;
