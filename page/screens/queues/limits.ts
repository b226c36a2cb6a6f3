// The limits of a queue as text, and whether its concurrency limit is reached.

import { rateText } from '../../../src/time/rate.ts';
import { count } from '../../core/format.ts';
import type { NamedQueue } from '../../core/types.ts';

/** '2 at once · 100/m, burst 10'; '' without limits. */
export function limitsText({ concurrency, rate_per_second: rate, burst }: NamedQueue): string {
  const inBurst = burst === null ? '' : `, burst ${count(burst)}`;
  return [
    concurrency === null ? '' : `${count(concurrency)} at once`,
    rate === null ? '' : `${rateText(rate)}${inBurst}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** All slots are taken and more jobs are waiting. */
export const isFull = ({ concurrency, processing, pending }: NamedQueue): boolean =>
  concurrency !== null && processing >= concurrency && pending > 0;
