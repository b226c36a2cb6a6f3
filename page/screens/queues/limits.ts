// The limits of a queue in words, and whether it is at one of them.

import { rateText } from '../../../src/time/rate.ts';
import { count } from '../../core/format.ts';
import type { NamedQueue } from '../../core/types.ts';

/** '2 at once · 100/m, 10 in a burst'; '': none. */
export function limitsText({ concurrency, rate_per_second: rate, burst }: NamedQueue): string {
  const inBurst = burst === null ? '' : `, ${count(burst)} in a burst`;
  return [
    concurrency === null ? '' : `${count(concurrency)} at once`,
    rate === null ? '' : `${rateText(rate)}${inBurst}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** As many run as may, and more wait. */
export const isFull = ({ concurrency, processing, pending }: NamedQueue): boolean =>
  concurrency !== null && processing >= concurrency && pending > 0;
