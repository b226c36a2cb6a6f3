// The formats of the results: text for a terminal, a Markdown table for the documentation, and JSON, one line per row.

import type { Result } from './runner.ts';

export interface Format {
  readonly head: string;
  readonly row: (result: Result) => string;
}

const WIDTHS = [60, 30, 44, 30, 6, 10];
const TITLES = ['measurement', 'queuectl', 'compared with', 'its result', 'ratio', 'target', 'note'];
const DURABLE = { both: 'both durable', ours: 'only queuectl durable' };

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
    .join('  ')
    .trimEnd();
const columns = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const FORMATS: Readonly<Record<'text' | 'markdown' | 'json', Format>> = {
  text: { head: line(TITLES), row: (result) => line(cellsOf(result)) },
  markdown: {
    head: `${columns(TITLES)}\n|${TITLES.map(() => '---').join('|')}|`,
    row: (result) => columns(cellsOf(result).map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))),
  },
  json: { head: '', row: (result) => JSON.stringify(result) },
};

function cellsOf(result: Result): string[] {
  const { measure, against = '', error, ours = '', peer = '', compared, target = '', reached, durable, noise } = result;
  if (error !== undefined) return [measure, 'failed', against, '', '', '', error.split('\n')[0] ?? ''];
  const note = [!reached && 'missed', durable && DURABLE[durable], noise].filter(Boolean).join('; ');
  return [measure, ours, against, peer, compared?.toFixed(2) ?? '', target, note];
}
