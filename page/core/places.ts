// Where one can go: the bar, the palette and the keys are all made from this.

import type { Role } from '../../src/server/role.ts';
import type { IconName } from '../components/icon.tsx';
import type { Stats } from './types.ts';

export interface Place {
  readonly href: string;
  readonly title: string;
  /** Where there is little room. */
  readonly short?: string;
  readonly icon: IconName;
  /** Pressed after g. */
  readonly key: string;
  /** A number worth seeing from everywhere. */
  readonly countIn?: (stats: Stats) => number;
  readonly isBad?: boolean;
  readonly role?: Role;
  /** Set up once and seldom looked at. */
  readonly isSetUp?: boolean;
}

export const PLACES: readonly Place[] = [
  { href: '/', title: 'Overview', icon: 'overview', key: 'o' },
  { href: '/jobs', title: 'Jobs', icon: 'jobs', key: 'j' },
  {
    href: '/dead',
    title: 'Dead letters',
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

/** The ones a phone shows at once. */
export const SMALL_PLACES = ['/', '/jobs', '/dead', '/queues'];
