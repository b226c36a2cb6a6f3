// What people and programs may do with a queue over HTTP. Each role may do whatever those before it may.

export const ROLES = ['viewer', 'enqueuer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

export const mayActAs = (own: Role, needed: Role): boolean => ROLES.indexOf(own) >= ROLES.indexOf(needed);
