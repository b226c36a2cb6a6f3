// Protocol between a worker and its guard: one letter per line, followed by its arguments.

export const GUARD_LINES = { begins: '+', started: '@', ended: '-', sureUntil: '=', leaves: '.' } as const;
