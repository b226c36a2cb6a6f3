// The number of rows that a shortened list leaves out, as a link to the full list.

import { counted } from '../../core/format.ts';

export const Rest = ({ n, noun, href }: { n: number; noun: string; href: string }) =>
  n > 0 ? (
    <p class="rest">
      <a class="link" href={href}>
        {counted(n, `more ${noun}`)}
      </a>
    </p>
  ) : null;
