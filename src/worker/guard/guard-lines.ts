// What a worker tells its guard, a line each: one letter, then what it is about.

export const GUARD_LINES = { begins: '+', started: '@', ended: '-', sureUntil: '=', leaves: '.' } as const;
