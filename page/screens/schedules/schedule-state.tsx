// The state of a schedule.

import type { Schedule } from '../../core/types.ts';

const KINDS = { active: 'good', paused: 'warn', ended: '' } as const;

export const ScheduleState = ({ state }: { state: Schedule['state'] }) => (
  <span class={`tag ${KINDS[state]}`}>{state}</span>
);
