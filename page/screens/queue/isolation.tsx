// Isolation that the queue imposes on its jobs.

import { FactList } from '../../components/facts.tsx';
import { LIMITS, limitLabel, limitWords } from '../../isolation/limits.ts';
import type { NamedQueue } from '../../core/types.ts';

export function QueueIsolation({ queue: { sandbox, user, limits } }: { queue: NamedQueue }) {
  const facts = [
    ['sandbox', sandbox],
    ['user', user],
    ...LIMITS.map((limit) => [limitLabel(limit), limitWords(limit, limits)] as const),
  ] as const;
  return (
    <section class="facts isolation" aria-label="isolation">
      <h2>Isolation</h2>
      {facts.some(([, words]) => words) ? (
        <FactList facts={facts} />
      ) : (
        <p class="muted">This queue sets no isolation; each job can set its own.</p>
      )}
    </section>
  );
}
