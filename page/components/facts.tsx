// Properties as names and values, without the unset ones.

import type { ComponentChildren } from 'preact';
import { Ago, When } from './time.tsx';

export type Fact = readonly [label: string, value: ComponentChildren | null];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <aside class="facts" aria-label="facts">
    <dl>
      {facts
        .filter(([, value]) => value !== null && value !== '' && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  </aside>
);

/** A time, absolute and relative. */
export const WhenAndAgo = ({ at }: { at: string }) => (
  <>
    <When at={at} />{' '}
    <span class="muted">
      · <Ago at={at} />
    </span>
  </>
);
