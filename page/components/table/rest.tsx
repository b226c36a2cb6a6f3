// Below a list that is cut: how many more there are, and where all of them are.

import { counted } from '../../core/format.ts';

export const Rest = ({ n, noun, href }: { n: number; noun: string; href: string }) =>
  n > 0 ? (
    <p class="rest">
      <a class="link" href={href}>
        {counted(n, `more ${noun}`)}
      </a>
    </p>
  ) : null;
