// What was done, in words, and where what it was done to can be seen.

import type { Deed } from '../../core/types.ts';

/** 'pauseQueue' and 'queue pause' both become words. */
export const actionWords = (action: string): string =>
  action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const PLACES: readonly (readonly [pattern: RegExp, href: string])[] = [
  [/queue/i, '/queues/'],
  [/schedule/i, '/schedules/'],
  [/group/i, '/groups/'],
  [/job|^(retry|cancel|hold|release|run-now|edit|move)$/i, '/jobs/'],
];
const GONE = /delete|remove/i;

/** null: it has no screen of its own, is several things, or is gone. */
export function hrefOfTarget({ action, target }: Deed): string | null {
  if (target === null || GONE.test(action) || /[\s,]/.test(target)) return null;
  if (/setting|config/i.test(action)) return `/settings?find=${encodeURIComponent(target)}`;
  const place = PLACES.find(([pattern]) => pattern.test(action));
  return place ? `${place[1]}${encodeURIComponent(target)}` : null;
}

export const detailText = (detail: Deed['detail']): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
