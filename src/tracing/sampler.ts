// Which traces are recorded. The answer follows from the trace alone, so that all who ask about one hear the same: its enqueue
// and every attempt are recorded, or none of them. Pure.

import type { TraceParent } from '../job/environment/trace-context.ts';

/** `parent` is what the enqueuer said; null: the trace begins here. */
export type Sampler = (traceId: string, parent: TraceParent | null) => boolean;

const BASED_ON_PARENT = 'parentbased_';

/** A name that is not known means what is usual, as for every program that speaks OpenTelemetry. */
export function makeSampler(name = '', argument = ''): Sampler {
  const isBased = name.startsWith(BASED_ON_PARENT);
  const root = rootSampler(isBased ? name.slice(BASED_ON_PARENT.length) : name, argument);
  if (root === null) return parentBased(() => true);
  return isBased ? parentBased(root) : root;
}

const parentBased =
  (root: Sampler): Sampler =>
  (traceId, parent) =>
    parent === null ? root(traceId, parent) : parent.isSampled;

function rootSampler(name: string, argument: string): Sampler | null {
  if (name === 'always_on') return () => true;
  if (name === 'always_off') return () => false;
  if (name !== 'traceidratio') return null;
  const ratio = argument === '' ? 1 : Number(argument);
  const share = ratio >= 0 && ratio <= 1 ? ratio : 1;
  return (traceId) => partOf(traceId) < share;
}

/** Where a trace stands from 0 to below 1, by the end of its id, which is random by convention: as much as a number holds. */
const partOf = (traceId: string): number => Number.parseInt(traceId.slice(-13), 16) / 2 ** 52;
