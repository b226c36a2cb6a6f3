// docs/reference/filters.md: the fields of the filter language.

import { FILTER_FIELDS, type FilterField } from '../../src/filter/fields.ts';
import { type Block, code, table } from './block.ts';

export function filterBlock(): Block {
  const fields = Object.entries(FILTER_FIELDS) as [string, FilterField][];
  const rows = fields.map(([name, field]) => [
    code(`${name}:`),
    field.help,
    (field.choices ?? []).map(code).join(', '),
  ]);
  return { page: 'reference/filters.md', name: 'fields', text: table(['field', 'matches', 'values'], rows) };
}
