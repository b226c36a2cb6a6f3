// The error of an isolation step that cannot be applied.

/** One sentence about why the command does not start and what to do. */
export class Rejection extends Error {}
