// A number in a table. Zero is pale, so that other numbers stand out.

import { count } from '../../core/format.ts';

export const Count = ({ n, href }: { n: number; href?: string }) => {
  if (n === 0) return <span class="zero">0</span>;
  return href ? <a href={href}>{count(n)}</a> : <span>{count(n)}</span>;
};
