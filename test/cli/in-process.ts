// A command of queuectl in the process of the test: main() itself, with a terminal that is a string. It saves the start of a
// program, which costs more than all that a short command does.

import { namedLine } from '../../src/cli/command-name.ts';
import { main } from '../../src/cli/main.ts';
import { oneLine } from '../../src/cli/render/kit/one-line.ts';
import { styleFor } from '../../src/cli/render/kit/style.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
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
    'enqueue|list|show|status|metrics|why|wait|logs|graph|activity|cancel|retry|delete|hold|release|edit|move|run-now|prune|reset',
    '(config|dlq|group|queue|schedule|recipe|sandbox|token|policy) \\w+',
    'secret (list|remove)|worker list|help',
  ].join('|')})$`,
);
const OF_FILES = /^(@.*|-|--(file|each|stdin|crontab|db)=.*)$/;
const BEFORE_FILES = /^--(file|each|stdin|crontab|db)$/;
const haveStarted = new Set<string>();

/** A worker starts and reaps processes, which would be those of the test. */
const isWorker = (argv: readonly string[]): boolean => argv.some((word) => /^--work(=|$)/.test(word));

/** Files are found from the folder of the process, and stdin is the process's. */
export const namesFiles = (argv: readonly string[]): boolean =>
  argv.some((word, i) => OF_FILES.test(word) || (BEFORE_FILES.test(word) && !isWhole(argv[i + 1])));

/** It means the same wherever one stands. */
const isWhole = (place = ''): boolean => place.startsWith('/') || place.includes('://');

/**
 * Whether a test can do without a process, because the file has seen the like work as a program: the same command for a test that
 * repeats what is known of it, on another store, through a server or with other bad input; else the same command with the
 * same options. What helps and what is no command is alike for all.
 */
export function needsNoProcess(argv: readonly string[], like: 'command' | 'options' = 'command'): boolean {
  const { name, load } = namedLine(argv);
  const options = argv.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/s, ''));
  const isHelp = options.includes('--help') || options.includes('-h');
  const kind = !load ? 'unknown' : isHelp ? 'help' : name;
  const one = like === 'command' ? kind : [kind, ...new Set(options.sort())].join(' ');
  const hasStarted = haveStarted.has(one);
  haveStarted.add(one);
  const isOfQueue = isHelp || (load ? OF_QUEUE.test(name) : !asksForVersion(argv));
  return hasStarted && !isAnotherProgram() && isOfQueue && !namesFiles(argv) && !isWorker(argv);
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
