// Properties as names and values, without the unset ones.

import type { ComponentChildren } from 'preact';
import { Ago, When } from './time.tsx';

export type Fact = readonly [label: string, value: ComponentChildren];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <aside class="facts" aria-label="facts">
    <FactList facts={facts} />
  </aside>
);

export const FactList = ({ facts }: { facts: readonly Fact[] }) => (
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

/** A line for each variable; null if there are none. */
export function variables(values: unknown): ComponentChildren {
  const lines = Object.entries(values ?? {}).map(([name, value]) => `${name}=${value}`);
  if (lines.length === 0) return null;
  return lines.map((line) => (
    <div key={line} class="mono cut" title={line}>
      {line}
    </div>
  ));
}
