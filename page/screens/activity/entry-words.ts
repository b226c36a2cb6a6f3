// Texts and links for entries of the audit log.

import type { ActivityEntry } from '../../core/types.ts';

/** Turns 'pauseQueue' into 'pause queue'. */
export const actionWords = (action: string): string => action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const PLACES: readonly (readonly [pattern: RegExp, href: string])[] = [
  [/queue/i, '/queues/'],
  [/schedule/i, '/schedules/'],
  [/group/i, '/groups/'],
  [/job|^(retry|cancel|hold|release|run-now|edit|move)$/i, '/jobs/'],
];
const GONE = /delete|remove/i;

/** Returns null if the target has no screen, is a list, or was deleted. */
export function hrefOfTarget({ action, target }: ActivityEntry): string | null {
  if (target === null || GONE.test(action) || /[\s,]/.test(target)) return null;
  if (/setting|config/i.test(action)) return `/settings?find=${encodeURIComponent(target)}`;
  const place = PLACES.find(([pattern]) => pattern.test(action));
  return place ? `${place[1]}${encodeURIComponent(target)}` : null;
}

export const detailText = (detail: ActivityEntry['detail']): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
