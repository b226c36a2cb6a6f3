// Health checks as text: a mark and the verdict, the message, and the hint.

import type { Check, Verdict } from '../../report/health/checks/verdict.ts';
import type { Health } from '../../report/health/health.ts';
import type { Screen } from '../terminal.ts';
import { many } from './kit/human.ts';
import type { Style } from './kit/style.ts';
import { oneLine, words } from './kit/text.ts';

const MARKS: Readonly<Record<Verdict, { mark: string; paint: keyof Pick<Style, 'good' | 'warn' | 'bad'> }>> = {
  ok: { mark: '✓ ok  ', paint: 'good' },
  warn: { mark: '! warn', paint: 'warn' },
  fail: { mark: '✗ fail', paint: 'bad' },
};

const MARK_WIDTH = 8;

export function healthText({ checks }: Health, screen: Screen): string {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length)) + 2;
  return [...checks.map((check) => checkText(check, nameWidth, screen)), '', verdict(checks)].join('\n');
}

function checkText({ name, status, message, hint }: Check, nameWidth: number, { style, width }: Screen): string {
  const { mark, paint } = MARKS[status];
  const indent = ' '.repeat(MARK_WIDTH + nameWidth);
  const room = width === null ? Number.POSITIVE_INFINITY : width - indent.length;
  const [first = '', ...more] = words(oneLine(message), room);
  const rest = [...more, ...(hint ? words(`→ ${oneLine(hint)}`, room).map(style.dim) : [])];
  return [`${style[paint](mark)}  ${name.padEnd(nameWidth)}${first}`, ...rest.map((line) => indent + line)].join('\n');
}

function verdict(checks: readonly Check[]): string {
  const number = (wanted: Verdict): number => checks.filter(({ status }) => status === wanted).length;
  const [failed, warned] = [number('fail'), number('warn')];
  if (failed > 0) return `${many(failed, 'check')} failed${warned > 0 ? `, ${many(warned, 'warning')}` : ''}`;
  return warned > 0 ? `all checks passed, with ${many(warned, 'warning')}` : 'all checks passed';
}
