// A command of queuectl in the process of the test: main() itself, with a terminal that is a string. It saves the start of a
// program, which costs more than all that a short command does.

import fs from 'node:fs';
import path from 'node:path';
import { namedLine } from '../../src/cli/command-name.ts';
import { main } from '../../src/cli/main.ts';
import { oneLine } from '../../src/cli/render/kit/one-line.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { STARTED } from '../support/folder.ts';
import { isAnotherProgram } from '../support/program.ts';

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** For commands that name no files and that nobody interrupts. */
export async function runInProcess(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Answer> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const code = await main(argv, {
    environment,
    terminal: (json) => pipesInto(out, err, json),
    cwd: () => cwd,
    onInterrupt: () => {},
    leave: (queue) => queue.close(), // this process goes on
  });
  const bytes = Buffer.concat(out);
  return { code, stdout: bytes.toString(), stderr: Buffer.concat(err).toString(), bytes };
}

/** Commands that ask or change the queue and need nothing else of the machine. */
const OF_QUEUE = new RegExp(
  `^(${[
    'enqueue|list|show|status|metrics|why|wait|logs|graph|activity|cancel|retry|delete|hold|release|edit|move|run-now|prune|reset|migrate|export|import',
    '(config|dlq|group|queue|schedule|recipe|sandbox|token|policy) \\w+',
    'secret (list|remove)|worker list|result get|help',
  ].join('|')})$`,
);
const OF_FILES = /^(@.*|-|--(file|each|stdin|crontab|db)=.*)$/;
const BEFORE_FILES = /^--(file|each|stdin|crontab|db|from|to)$/;
const haveStarted = new Set<string>();

/** Whether no test of this run has started such a command before. The test files of a run share empty files about it. */
function isFirst(kind: string): boolean {
  if (haveStarted.has(kind)) return false;
  haveStarted.add(kind);
  const folder = process.env[STARTED];
  if (folder === undefined) return true;
  try {
    fs.writeFileSync(path.join(folder, encodeURIComponent(kind)), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Commands are alike if they have the same options; elsewhere, the same command is enough. */
export type Like = 'options' | 'rejected' | 'on PostgreSQL' | 'over HTTP';

/** A worker starts and reaps processes, which would be those of the test. */
const isWorker = (argv: readonly string[]): boolean => argv.some((word) => /^--work(=|$)/.test(word));

/** Files are found from the folder of the process, and stdin is the process's. */
export const namesFiles = (argv: readonly string[]): boolean =>
  argv.some((word, i) => OF_FILES.test(word) || (BEFORE_FILES.test(word) && !isWhole(argv[i + 1]))) ||
  (/^(export|import)$/.test(argv[0] ?? '') && argv.slice(1).some((word) => !word.startsWith('-') && !isWhole(word)));

/** It means the same wherever one stands. */
const isWhole = (place = ''): boolean => place.startsWith('/') || place.includes('://');

/**
 * Whether a test can run a command in its process, because another test of the run has started such a command as a program:
 * the same command with the same options, or the same command that is rejected, on PostgreSQL or over HTTP. All help is
 * alike, and so are all unknown commands.
 */
export function needsNoProcess(argv: readonly string[], like: Like): boolean {
  const { name, load } = namedLine(argv);
  const options = argv.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/s, ''));
  const isHelp = options.includes('--help') || options.includes('-h');
  const kind = !load ? 'unknown' : isHelp ? 'help' : name;
  const one = like !== 'options' ? kind : [kind, ...new Set(options.sort())].join(' ');
  const isOfQueue = isHelp || (load ? OF_QUEUE.test(name) : !asksForVersion(argv));
  if (isAnotherProgram() || !isOfQueue || namesFiles(argv) || isWorker(argv)) return false;
  return !isFirst(`${like} ${one}`);
}

/** The build knows it. */
const asksForVersion = (argv: readonly string[]): boolean =>
  argv.some((word) => /^(--?v|-V|--?version|version)$/.test(word));

/** Nobody watches. */
function pipesInto(out: Buffer[], err: Buffer[], json: boolean): Terminal {
  const say = (line: string): void => void err.push(Buffer.from(`${oneLine(line)}\n`));
  const remark = (line: string): void => (json ? undefined : say(line));
  return {
    json,
    width: null,
    height: null,
    canAsk: false,
    isWatched: false,
    style: styleFor(false),
    areApart: true,
    out: (text) => void out.push(Buffer.from(text)),
    err: (text) => void err.push(Buffer.from(text)),
    say,
    remark,
    notice: remark,
    hint: () => {},
    progress: () => {},
  };
}
