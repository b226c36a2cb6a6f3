// Server data, or a placeholder while it loads. Data that could not be reloaded stays visible below the error.

import type { ComponentChildren } from 'preact';
import type { Resource } from '../core/resource.ts';
import { Loading, Problem } from './feedback.tsx';

interface Props<T> {
  readonly from: Resource<T>;
  /** The expected number of rows. */
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

export const Loaded = <T,>({ from: { data, error, reload }, rows, children }: Props<T>) => (
  <>
    {Boolean(error) && <Problem error={error} onRetry={reload} />}
    {data === undefined ? !error && <Loading {...(rows && { rows })} /> : children(data)}
  </>
);
