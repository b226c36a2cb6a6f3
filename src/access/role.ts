// Roles for access over HTTP. Each role includes the rights of all previous ones.

export const ROLES = ['viewer', 'enqueuer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

export const mayActAs = (own: Role, needed: Role): boolean => ROLES.indexOf(own) >= ROLES.indexOf(needed);
