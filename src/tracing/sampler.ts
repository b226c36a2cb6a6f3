// Decides which traces are recorded. The decision depends only on the trace, so that its enqueue span and all attempts
// are recorded, or none. Pure.

import type { TraceParent } from '../job/environment/trace-context.ts';

/** `parent` is given by the enqueuer; null if the trace begins here. */
export type Sampler = (traceId: string, parent: TraceParent | null) => boolean;

const BASED_ON_PARENT = 'parentbased_';

/** Unknown names select the default sampler, as the OpenTelemetry specification requires. */
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

/** Maps a trace to [0, 1) by the last 52 bits of its ID, which are random by convention. */
const partOf = (traceId: string): number => Number.parseInt(traceId.slice(-13), 16) / 2 ** 52;
