// Groups and named queues on terminals of any width: one line stays one line, and what matters most stays longest.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLine } from '../../src/cli/render/group.ts';
import { queueTable } from '../../src/cli/render/queue.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import { visibleWidth } from '../../src/cli/render/kit/text.ts';
import { type JobState, STATES } from '../../src/job/job.ts';
import { UNLIMITED } from '../../src/job/flow/concurrency.ts';
import { Pace } from '../../src/report/metrics/pace.ts';
import type { QueueView } from '../../src/report/queues.ts';

const style = styleFor(false);

const countsWith = (some: Partial<Record<JobState, number>>): Record<JobState, number> => ({
  ...(Object.fromEntries(STATES.map((state) => [state, 0])) as Record<JobState, number>),
  ...some,
});

const counts = countsWith({ pending: 184, processing: 4, completed: 310, dead: 2 });

function pace(): Pace {
  const seen = new Pace();
  seen.see(0, 0);
  seen.see(312, 100_000);
  return seen;
}

const lineAt = (width: number): string =>
  progressLine({ name: 'photos', counts, concurrency: null, createdAt: 0 }, { style, width }, pace());

describe('group progress', () => {
  it('shows everything if there is room', () => {
    assert.equal(lineAt(120), '████████████░░░░░░░░  312 of 500 done · 4 running · 2 dead · 3.1 a second · 1 min left');
  });

  it('shows everything on a usual terminal, with a shorter bar', () => {
    assert.equal(lineAt(80), '██████░░░░  312 of 500 done · 4 running · 2 dead · 3.1 a second · 1 min left');
  });

  it('shows failures and the remaining time if there is little room', () => {
    assert.equal(lineAt(60), '██████░░░░  312 of 500 done · 2 dead · 1 min left');
  });

  it('shows no remaining time while jobs wait for a retry', () => {
    const retried = { ...counts, pending: 183, failed: 1 };
    const group = { name: 'photos', counts: retried, concurrency: null, createdAt: 0 };
    const line = progressLine(group, { style, width: 120 }, pace());
    assert.match(line, / 1 waiting for a retry · 2 dead · 3\.1 a second$/);
  });

  it('never exceeds the line', () => {
    for (let width = 10; width < 130; width++)
      assert.ok(visibleWidth(lineAt(width)) <= width - 3, `${width} columns: ${lineAt(width)}`);
  });
});

describe('named queues in a table', () => {
  const view: QueueView = {
    ...UNLIMITED,
    queue: 'mail',
    counts: countsWith({ pending: 3, processing: 2, completed: 1_204, dead: 2 }),
    workers: 2,
    concurrency: 2,
    ratePerSecond: 10,
    isAllPaused: false,
    hooks: {},
    confinement: {},
  };

  it('fit a narrow terminal with waiting, running and dead jobs and limits', () => {
    const text = queueTable([view], { style, width: 60 });
    for (const line of text.split('\n')) assert.ok(visibleWidth(line) <= 60, line);
    assert.match(text, /^queue +pending +processing +dead .*limits\nmail +3 +2 +2 .*2 at once, 10\/s/);
  });

  it('are complete in a pipe', () => {
    assert.match(
      queueTable([view], { style, width: null }),
      /^queue +blocked +pending +processing +failed +dead +completed +workers +limits\n/,
    );
  });
});
