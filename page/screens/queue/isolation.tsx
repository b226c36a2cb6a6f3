// Isolation that the queue imposes on its jobs.

import { LIMITS, limitLabel, limitWords } from '../../isolation/limits.ts';
import type { NamedQueue } from '../../core/types.ts';

export function QueueIsolation({ queue }: { queue: NamedQueue }) {
  const said = [
    ...(queue.sandbox === null ? [] : [['sandbox', queue.sandbox]]),
    ...(queue.user === null ? [] : [['user', queue.user]]),
    ...LIMITS.filter(({ shownAs }) => queue.limits?.[shownAs] !== undefined).map((limit) => [
      limitLabel(limit),
      limitWords(limit, queue.limits?.[limit.shownAs]),
    ]),
  ];
  return (
    <section class="facts isolation" aria-label="isolation">
      <h2>Isolation</h2>
      {said.length === 0 ? (
        <p class="muted">This queue sets no isolation; each job can set its own.</p>
      ) : (
        <dl>
          {said.map(([label, words]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
