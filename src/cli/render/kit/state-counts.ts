// Job counts by state: '90 completed, 6 pending'.

import { STATES } from '../../../job/job.ts';
import type { StateCounts } from '../../../report/graph.ts';
import { count } from './human.ts';
import type { Style } from './style.ts';

export function countsText(counts: StateCounts | null, style: Style): string {
  const present = STATES.filter((state) => (counts?.[state] ?? 0) > 0);
  return present.map((state) => style.state(state)(`${count(counts?.[state] ?? 0)} ${state}`)).join(', ');
}
