// A table of things by name, one a row; on a narrow screen each is a card.

import type { ComponentChildren, Ref } from 'preact';

interface Props {
  /** What makes its columns as wide as they should be. */
  readonly class?: string;
  /** The heads of its columns. */
  readonly heads: ComponentChildren;
  /** Whether the viewer may do something with a row, in a last column that needs no head. */
  readonly hasActions: boolean;
  readonly body: Ref<HTMLTableSectionElement>;
  /** The rows. */
  readonly children: ComponentChildren;
}

export const Table = ({ class: name = '', heads, hasActions, body, children }: Props) => (
  <div class="table-frame">
    <table class={`table cards ${name}`.trim()}>
      <thead>
        <tr>
          {heads}
          {hasActions && (
            <th scope="col">
              <span class="out-of-sight">actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </table>
  </div>
);

export const heads = (...titles: readonly string[]): ComponentChildren =>
  titles.map((title) => (
    <th key={title} scope="col">
      {title}
    </th>
  ));
