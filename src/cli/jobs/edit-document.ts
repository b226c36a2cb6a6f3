// Edits a job as a YAML or JSON document, in an editor or from a file. Only fields that differ from the original are
// changed. A rejected text is kept in its file, and the error names the file.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { QueueError, usageError } from '../../errors/errors.ts';
import { checkState } from '../../job/check-state.ts';
import type { Edit } from '../../job/input/edit.ts';
import { type EditInput, editableOf } from '../../job/input/edit-input.ts';
import type { Job } from '../../job/job.ts';
import { WAITING_STATES } from '../../job/waiting-change.ts';
import type { Context } from '../command.ts';
import { shellQuote } from '../render/kit/command-line.ts';

const STDIN = 0;

/** Reads the fields from a file, or from stdin for '-'. */
export async function readDocument(file: string): Promise<EditInput> {
  return fieldsIn(readText(file), file);
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file === '-' ? STDIN : file, 'utf8');
  } catch (error) {
    const problem = (error as Error).message;
    throw new QueueError('unreadable_input', {
      path: file,
      problem,
      hint: 'check the name and mode of the file',
    });
  }
}

async function fieldsIn(text: string, file: string): Promise<EditInput> {
  const fields = await parsed(text, file);
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as EditInput;
  throw notFields(file, 'the file contains no fields');
}

async function parsed(text: string, file: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    throw notFields(file, (error as Error).message.split('\n')[0] ?? '');
  }
}

const notFields = (file: string, problem: string): QueueError =>
  new QueueError('invalid_job', {
    problem: `cannot read job fields from '${file}': ${problem}`,
    hint: 'write one field per line, for example priority: 5',
  });

/** Opens a job in the editor. Returns the edit, or null if nothing was changed. */
export async function editJob(
  { environment, terminal }: Context,
  job: Job,
  check: (fields: EditInput) => Edit,
): Promise<Edit | null> {
  checkState(job.id, job.state, WAITING_STATES, 'edit');
  const editor = editorIn(environment, terminal.canAsk, job.id);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queuectl-edit-'));
  const file = path.join(folder, `${job.id}.yaml`);
  fs.writeFileSync(file, await documentOf(job), { mode: 0o600 });
  open(editor, file, environment);
  try {
    const edit = await differenceIn(file, job, check);
    fs.rmSync(folder, { recursive: true });
    return edit;
  } catch (error) {
    throw keptIn(file, job.id, error);
  }
}

async function documentOf(job: Job): Promise<string> {
  const { stringify } = await import('yaml');
  return `# Job ${job.id}, ${job.state}. Your changes are applied when you save and close the editor.\n${stringify(editableOf(job))}`;
}

function editorIn(environment: NodeJS.ProcessEnv, canAsk: boolean, id: string): string {
  const editor = environment.VISUAL || environment.EDITOR || (canAsk ? 'vi' : '');
  if (editor !== '') return editor;
  throw usageError(
    'no editor available: VISUAL and EDITOR are unset, and stdin is not a terminal',
    `use options instead: queuectl edit ${id} --priority 5`,
  );
}

/** Uses the shell, because EDITOR often contains arguments. */
function open(editor: string, file: string, env: NodeJS.ProcessEnv): void {
  const { status, signal, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
    stdio: 'inherit',
    env,
  });
  if (status === 0) return;
  const how = error?.message ?? (signal ? `was killed by ${signal}` : `exited with ${status}`);
  throw new QueueError('check_failed', {
    problem: `the editor ${how}; nothing was changed`,
    hint: `check VISUAL and EDITOR (now '${editor}'); your text is in ${file}`,
  });
}

async function differenceIn(file: string, job: Job, check: (fields: EditInput) => Edit): Promise<Edit | null> {
  const before = editableOf(job);
  const after = await fieldsIn(readText(file), file);
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter((name) => !isDeepStrictEqual(after[name] ?? null, before[name] ?? null));
  if (changed.length === 0) return null;
  return check(Object.fromEntries(changed.map((name) => [name, after[name] ?? null])));
}

function keptIn(file: string, id: string, error: unknown): unknown {
  if (!(error instanceof QueueError) || error.code !== 'invalid_job') return error;
  const hint = [error.hint, `resume with your saved text: queuectl edit ${id} --file ${shellQuote(file)}`]
    .filter(Boolean)
    .join('; ');
  return new QueueError('invalid_job', { problem: `${error.message}; nothing was changed`, hint }, { cause: error });
}
