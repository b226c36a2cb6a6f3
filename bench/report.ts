// The formats of the results: text for a terminal, a Markdown table for the documentation, and JSON, one line per row.

import type { Result } from './runner.ts';

export interface Format {
  readonly head: string;
  readonly row: (result: Result) => string;
}

const WIDTHS = [60, 30, 44, 30, 6, 10, 8, 8];
const TITLES = ['measurement', 'queuectl', 'compared with', '', 'ratio', 'target', '', 'durable', 'machine'];

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
  const {
    measure,
    against = '',
    error,
    ours = '',
    peer = '',
    compared,
    target = '',
    durable = '',
    noise = '',
  } = result;
  if (error !== undefined) return [measure, 'failed', against, error.split('\n')[0] ?? '', '', '', '', '', ''];
  return [
    ...[measure, ours, against, peer, compared?.toFixed(2) ?? '', target],
    ...[result.reached ? 'reached' : 'missed', durable, noise],
  ];
}
