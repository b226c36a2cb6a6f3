import { placeOf } from '../../store/location.ts';
import { examine, type Health } from '../../report/health/health.ts';
import type { Command } from '../command.ts';
import { thisBuild } from '../../system/build.ts';
import { exactArguments } from '../required.ts';
import type { Check, Verdict } from '../../report/health/checks/verdict.ts';
import type { Screen } from '../terminal.ts';
import { many } from '../render/kit/human.ts';
import type { Style } from '../render/kit/style.ts';
import { oneLine, words } from '../render/kit/text.ts';

export const command: Command = {
  name: 'doctor',
  purpose: 'repair',
  localOnly:
    'doctor checks the host that it runs on: run it on the host of the database; queuectl status works over HTTP',
  summary: 'check the installation, database, workers and disk',
  usage: [''],
  examples: [
    ['queuectl doctor', 'show problems and how to fix them'],
    ['queuectl doctor --json', 'print all checks as JSON, for monitoring'],
  ],
  notes: [
    'Exit code: 0 if no check failed, 1 if a check failed; 3 if no queue exists at --db or QUEUECTL_DB; 5 if the database cannot be opened.',
  ],
  run: async (context) => {
    exactArguments(context, [], 'doctor');
    const place = placeOf(context.options.text('db'), context.environment);
    const health = await examine(place, thisBuild(), () => context.localQueue());
    const { ok, checks, error } = health;
    return {
      data: { ok, checks },
      text: healthText(health, context.terminal),
      exitCode: error?.exitCode ?? (ok ? 0 : 1),
    };
  },
};

const MARKS: Readonly<Record<Verdict, { mark: string; paint: keyof Pick<Style, 'good' | 'warn' | 'bad'> }>> = {
  ok: { mark: '✓ ok  ', paint: 'good' },
  warn: { mark: '! warn', paint: 'warn' },
  fail: { mark: '✗ fail', paint: 'bad' },
};

const MARK_WIDTH = 8;

function healthText({ checks }: Health, screen: Screen): string {
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
