// The destinations of the navigation bar, the palette and the `g` keys.

import type { IconName } from '../components/icon.tsx';
import type { Role, Stats } from './types.ts';

export interface Place {
  readonly href: string;
  readonly title: string;
  /** Title on narrow screens. */
  readonly short?: string;
  readonly icon: IconName;
  /** The key to press after g. */
  readonly key: string;
  /** A count to show next to the title. */
  readonly countIn?: (stats: Stats) => number;
  readonly isBad?: boolean;
  readonly role?: Role;
  /** Listed in the second part of the navigation, for administration. */
  readonly isSetUp?: boolean;
}

export const PLACES: readonly Place[] = [
  { href: '/', title: 'Overview', icon: 'overview', key: 'o' },
  { href: '/jobs', title: 'Jobs', icon: 'jobs', key: 'j' },
  {
    href: '/dead',
    title: 'Dead jobs',
    short: 'Dead',
    icon: 'dead',
    key: 'd',
    countIn: ({ dead }) => dead,
    isBad: true,
  },
  { href: '/groups', title: 'Groups', icon: 'groups', key: 'g', countIn: ({ groups }) => groups },
  { href: '/queues', title: 'Queues', icon: 'queues', key: 'q' },
  { href: '/schedules', title: 'Schedules', icon: 'schedules', key: 's' },
  { href: '/recipes', title: 'Recipes', icon: 'recipes', key: 'r' },
  { href: '/workers', title: 'Workers', icon: 'workers', key: 'w' },
  { href: '/activity', title: 'Activity', icon: 'activity', key: 'a' },
  { href: '/policy', title: 'Policy', icon: 'policy', key: 'p', isSetUp: true },
  { href: '/secrets', title: 'Secrets', icon: 'secrets', key: 'k', role: 'enqueuer', isSetUp: true },
  { href: '/settings', title: 'Settings', icon: 'settings', key: 'c', isSetUp: true },
  {
    href: '/access',
    title: 'Users and tokens',
    short: 'Users',
    icon: 'users',
    key: 'u',
    role: 'admin',
    isSetUp: true,
  },
];

/** The destinations in the bar of a phone. */
export const SMALL_PLACES = ['/', '/jobs', '/dead', '/queues'];
