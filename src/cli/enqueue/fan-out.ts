// --array and --each: create a job for each index or line from one command, as a group.

import { QueueError, usageError } from '../../errors/errors.ts';
import { indexesOf, parseArray } from '../../flow/array.ts';
import { ARRAY_INDEX } from '../../job/flow/array-index.ts';
import { templateOf } from '../../flow/template.ts';
import type { Command } from '../../job/job.ts';
import type { JobInput } from '../../queue/queue.ts';
import { newGroupName } from '../../job/id.ts';
import { randomBytes } from '../../system/random.ts';
import { type Arriving, enqueueAll } from './bulk.ts';
import type { Result } from '../command.ts';
import { onlyOneOf } from '../options/checks.ts';
import { commandFrom } from './command-argument.ts';
import type { EnqueueContext } from '../options/enqueue-options.ts';
import { saidByFlags } from '../options/job-options.ts';
import { jobsInJson, looksLikeJson } from './json-argument.ts';
import { filled as filledLines, openLines } from './input-lines.ts';
import type { Written } from './source.ts';
import { workLimit } from './work-defaults.ts';

export function enqueueFan(context: EnqueueContext): Promise<Result> {
  checkTogether(context);
  const job = jobOf(context);
  const { env, recipe = job.recipe, params = job.params, ...overrides } = saidByFlags(context);
  const group = overrides.group ?? job.group ?? newGroupName(randomBytes);
  const limit = job.group === undefined ? workLimit(context) : {};
  const own = { env, recipe, params, group };
  const base = {
    ...limit,
    ...job,
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
  };
  const array = context.options.text('array');
  const fan = array === undefined ? linesOf(base, context.options.text('each') ?? '-') : arrayOf(base, array);
  return enqueueAll(context, { ...fan, overrides, suffix: ` in group ${String(group)}` });
}

function checkTogether({ options }: EnqueueContext): void {
  const fan = onlyOneOf(options, 'array', 'each') ?? 'each';
  for (const other of ['file', 'lines'] as const) onlyOneOf(options, other, fan);
  if (options.has('id'))
    throw usageError(
      '--id would give every job the same ID',
      'remove --id and let queuectl generate IDs; --print-id prints them',
    );
}

/** Returns the command as a shell string or a list, or a job in JSON. */
function jobOf(context: EnqueueContext): JobInput {
  const [first] = context.args;
  const isJson = context.exact === null && context.args.length === 1 && first !== undefined && looksLikeJson(first);
  if (!isJson) return commandFrom(context, 'enqueue');
  const [job, ...others] = jobsInJson(first);
  if (others.length > 0 || typeof job !== 'object' || job === null)
    throw usageError('several commands for one --array or --each', 'pass one command');
  return job as JobInput;
}

function arrayOf(base: JobInput, text: string): Arriving {
  const array = parseArray(text);
  const limit = array.concurrency === null ? {} : { group_concurrency: array.concurrency };
  let done = 0;
  async function* jobs(): AsyncGenerator<Written> {
    for (const index of indexesOf(array)) {
      const env = { ...(base.env as object | undefined), [ARRAY_INDEX]: String(index) };
      yield { raw: { ...base, ...limit, env }, unit: 'job', number: ++done };
    }
  }
  return { jobs: jobs(), progress: () => done / array.size, nothing: usageError('the array is empty') };
}

function linesOf(base: JobInput, path: string): Arriving {
  const { command = base.cmd, cmd: _, ...fields } = base;
  const filled = base.recipe === undefined ? commandFiller(command) : paramsFiller(base.params);
  const { lines, progress } = openLines(path);
  async function* jobs(): AsyncGenerator<Written> {
    let count = 0;
    for await (const { text, number } of filledLines(lines))
      yield { raw: { ...fields, ...filled(text, ++count) }, unit: 'line', number };
  }
  return {
    jobs: jobs(),
    progress,
    nothing: usageError(`no lines in '${path}'`, 'add one line for each job'),
  };
}

type Filler = (line: string, number: number) => JobInput;

function commandFiller(given: unknown): Filler {
  const template = templateOf(commandOf(given));
  return (line, number) => ({ command: template(line, number) });
}

/** With a recipe, the placeholders are in the parameter values. */
function paramsFiller(params: unknown): Filler {
  const entries = Object.entries((params ?? {}) as Record<string, unknown>);
  const template = templateOf(entries.map(([, value]) => String(value)));
  return (line, number) => {
    const values = template(line, number);
    return { params: Object.fromEntries(entries.map(([name], i) => [name, values[i]])) };
  };
}

function commandOf(given: unknown): Command {
  const words = Array.isArray(given) ? given : [given];
  if (words.every((word) => typeof word === 'string')) return given as Command;
  if (given === undefined) throw new QueueError('command_required');
  throw usageError('the --each command must be a string or a list of strings', 'for example: echo {}');
}
